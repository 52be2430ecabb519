// Lists the functions and methods declared in a module and where each is called, as the type checker sees it.
// Output, tab separated: "file path" for what was checked, "def path:line" and
// "call path:line path line column", columns 0-based in UTF-16 units.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode/utf16"
)

type listed struct {
	ImportPath   string
	Dir          string
	GoFiles      []string
	TestGoFiles  []string
	XTestGoFiles []string
	ImportMap    map[string]string
	Standard     bool
	DepOnly      bool
	Module       *struct{ Main bool }
}

type checker struct {
	fset  *token.FileSet
	root  string
	list  map[string]*listed
	done  map[string]*types.Package
	sizes types.Sizes
	out   *bufio.Writer
	lines map[string][]string
	seen  map[string]bool
}

// Import checks a dependency from source, without its function bodies.
func (c *checker) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p, ok := c.done[path]; ok {
		if p == nil {
			return nil, errors.New("import cycle at " + path)
		}
		return p, nil
	}
	l := c.list[path]
	if l == nil {
		return nil, errors.New("not listed: " + path)
	}
	c.done[path] = nil
	var files []*ast.File
	for _, name := range l.GoFiles {
		if f, _ := parser.ParseFile(c.fset, filepath.Join(l.Dir, name), nil, parser.SkipObjectResolution); f != nil {
			files = append(files, f)
		}
	}
	own := l.Module != nil && l.Module.Main
	p := c.check(l, path, files, own)
	c.done[path] = p
	return p, nil
}

type mapped struct {
	*checker
	names map[string]string
	under *types.Package
	path  string
}

func (m mapped) Import(path string) (*types.Package, error) {
	if m.under != nil && path == m.path {
		return m.under, nil
	}
	if to, ok := m.names[path]; ok {
		path = to
	}
	return m.checker.Import(path)
}

func (c *checker) check(l *listed, path string, files []*ast.File, own bool) *types.Package {
	return c.checkWith(mapped{checker: c, names: l.ImportMap}, path, files, own)
}

func (c *checker) checkWith(imports types.Importer, path string, files []*ast.File, own bool) *types.Package {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	config := types.Config{Importer: imports, IgnoreFuncBodies: !own, FakeImportC: true, Error: func(error) {}, Sizes: c.sizes}
	p, _ := config.Check(path, c.fset, files, info)
	if !own {
		return p
	}
	for id, object := range info.Defs {
		if _, ok := object.(*types.Func); ok {
			c.put("def\t" + c.place(id.Pos()))
		}
	}
	for _, file := range files {
		if name := c.relative(c.fset.Position(file.Pos()).Filename); name != "" {
			c.put("file\t" + name)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			callee := ast.Unparen(call.Fun)
			switch x := callee.(type) {
			case *ast.IndexExpr:
				callee = ast.Unparen(x.X)
			case *ast.IndexListExpr:
				callee = ast.Unparen(x.X)
			}
			var id *ast.Ident
			switch x := callee.(type) {
			case *ast.Ident:
				id = x
			case *ast.SelectorExpr:
				id = x.Sel
			}
			if id == nil {
				return true
			}
			if f, ok := info.Uses[id].(*types.Func); ok {
				if to := c.place(f.Origin().Pos()); to != "" {
					at := c.fset.Position(id.Pos())
					c.put(fmt.Sprintf("call\t%s\t%s\t%d\t%d", to, c.relative(at.Filename), at.Line, c.column(at)))
				}
			}
			return true
		})
	}
	return p
}

func (c *checker) put(row string) {
	if !c.seen[row] && !strings.HasPrefix(row, "def\t\t") {
		c.seen[row] = true
		fmt.Fprintln(c.out, row)
	}
}

func (c *checker) relative(name string) string {
	r, err := filepath.Rel(c.root, name)
	if err != nil || strings.HasPrefix(r, "..") {
		return ""
	}
	return filepath.ToSlash(r)
}

func (c *checker) place(pos token.Pos) string {
	at := c.fset.Position(pos)
	if r := c.relative(at.Filename); at.IsValid() && r != "" {
		return fmt.Sprintf("%s:%d", r, at.Line)
	}
	return ""
}

func (c *checker) column(at token.Position) int {
	lines, ok := c.lines[at.Filename]
	if !ok {
		text, _ := os.ReadFile(at.Filename)
		lines = strings.Split(string(text), "\n")
		c.lines[at.Filename] = lines
	}
	if at.Line > len(lines) || at.Column-1 > len(lines[at.Line-1]) {
		return at.Column - 1
	}
	return len(utf16.Encode([]rune(lines[at.Line-1][:at.Column-1])))
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func main() {
	if len(os.Args) != 2 {
		fail(errors.New("usage: callers DIR"))
	}
	root, err := filepath.Abs(os.Args[1])
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		fail(err)
	}
	command := exec.Command("go", "list", "-e", "-deps", "-test", "-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles,ImportMap,Standard,DepOnly,Module", "./...")
	command.Dir = root
	command.Stderr = os.Stderr
	text, err := command.Output()
	if err != nil {
		fail(err)
	}
	c := &checker{fset: token.NewFileSet(), root: root, list: map[string]*listed{}, done: map[string]*types.Package{}, sizes: types.SizesFor("gc", build.Default.GOARCH), out: bufio.NewWriter(os.Stdout), lines: map[string][]string{}, seen: map[string]bool{}}
	var order []*listed
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	for {
		l := &listed{}
		if err := decoder.Decode(l); err == io.EOF {
			break
		} else if err != nil {
			fail(err)
		}
		if strings.HasSuffix(l.ImportPath, ".test") || strings.Contains(l.ImportPath, " [") {
			continue
		}
		c.list[l.ImportPath] = l
		order = append(order, l)
	}
	for _, l := range order {
		if l.Module == nil || !l.Module.Main {
			continue
		}
		c.Import(l.ImportPath)
		parse := func(names []string) (files []*ast.File) {
			for _, name := range names {
				if f, _ := parser.ParseFile(c.fset, filepath.Join(l.Dir, name), nil, parser.SkipObjectResolution); f != nil {
					files = append(files, f)
				}
			}
			return
		}
		// Tests see the package together with its internal test files.
		var under *types.Package
		if len(l.TestGoFiles) > 0 {
			under = c.check(l, l.ImportPath, append(parse(l.GoFiles), parse(l.TestGoFiles)...), true)
		}
		if len(l.XTestGoFiles) > 0 {
			c.checkWith(mapped{c, l.ImportMap, under, l.ImportPath}, l.ImportPath+"_test", parse(l.XTestGoFiles), true)
		}
	}
	c.out.Flush()
}
