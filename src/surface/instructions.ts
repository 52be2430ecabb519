/** Guidance every client gets once, at initialization. Under 550 characters, and in words a model needs no glossary for. */
export const instructions = [
  "Portico answers questions about this code base from an index that follows the work tree.",
  "Locate with explore or search, read with read, follow uses with relations and trace, change with edit or refactor,",
  "then check with change (detect, tests, guards).",
  "Name a file or symbol in target; give ids from earlier answers back unchanged.",
  "An answer says what it left out and how to get the rest.",
  "capabilities shows the exact arguments of any operation."
].join(" ")
