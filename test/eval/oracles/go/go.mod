module portico/callers

go 1.22
