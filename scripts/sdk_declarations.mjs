import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * The declarations of an entry and of all that it names, as one file: readers see plain types, and nothing
 * points into another file. Each module is declared by itself, so no types are checked here.
 * @param folder of the SDK
 * @param entries the names of all entries; what another one exports is imported from it
 * @returns the text of a `.d.ts`; imports of other entries end in `.ts`
 */
export async function declarationsOf({ folder, entry, entries }) {
  // Loaded only here: building the service needs no compiler.
  const { default: ts } = await import('typescript');
  const found = { statements: new Map(), imports: new Set(), seen: new Set() };
  const others = entries.filter((name) => name !== entry).map((name) => join(folder, `${name}.ts`));
  const exported = read({ ts, folder, others, found }, join(folder, `${entry}.ts`));
  const used = reachable(ts, found.statements, exported.keys());
  const lines = [...exported].map(([name, isType]) => `  ${isType ? 'type ' : ''}${name},\n`);
  const texts = [...found.statements].flatMap(([name, { text }]) => (used.has(name) ? text : []));
  const whole = `${texts.join('\n')}\nexport {\n${lines.join('')}};\n`;
  const imports = [...found.imports].filter(({ names }) => names.some((name) => used.has(name)));
  const heads = imports.map(
    ({ names, from }) => `import type { ${names.join(', ')} } from '${from}';\n`,
  );
  return `${heads.join('')}${heads.length > 0 ? '\n' : ''}${whole}`;
}

/** The declarations of one module, without types from elsewhere. @throws where a type is not written */
function declare(ts, path) {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(path, 'utf8'), {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, strict: true },
  });
  const [first] = diagnostics;
  if (first)
    throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(first.messageText, '\n')}`);
  return ts.createSourceFile(path, outputText, ts.ScriptTarget.Latest, true);
}

/** Reads a module and what it imports. @returns its exported names, and whether each is a type alone */
function read(state, path) {
  const { ts, found } = state;
  const exported = new Map();
  found.seen.add(path);
  const source = declare(ts, path);
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) follow(state, path, statement);
    else if (ts.isExportDeclaration(statement)) reexport(state, path, statement, exported);
    else
      for (const name of keep(state, path, source, statement))
        exported.set(
          name,
          ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement),
        );
  }
  return exported;
}

const targetOf = (path, statement) => join(dirname(path), statement.moduleSpecifier.text);

function follow(state, path, statement) {
  const { ts, found, folder, others } = state;
  const { namedBindings } = statement.importClause ?? {};
  if (!namedBindings || !ts.isNamedImports(namedBindings)) throw new Error(`${path}: import names`);
  const names = namedBindings.elements.map(({ name, propertyName }) => {
    if (propertyName) throw new Error(`${path}: ${name.text} must keep its name`);
    return name.text;
  });
  const from = statement.moduleSpecifier.text;
  const target = targetOf(path, statement);
  if (!from.startsWith('.')) found.imports.add({ names, from });
  else if (others.includes(target))
    found.imports.add({ names, from: `./${relative(folder, target)}` });
  else if (!found.seen.has(target)) read(state, target);
}

function reexport(state, path, { exportClause, isTypeOnly, moduleSpecifier }, exported) {
  if (!moduleSpecifier) return;
  const all = read(state, targetOf(path, { moduleSpecifier }));
  if (exportClause)
    for (const { name, isTypeOnly: alone } of exportClause.elements)
      exported.set(name.text, isTypeOnly || alone);
  else for (const [name, alone] of all) exported.set(name, isTypeOnly || alone);
}

/** Readers of the package have no rules to look up. */
const ruleCitation = / ?\(rules\/[a-z-]+#\d+\)/g;

/** The docstring of a declaration, not one of its whole file above it. */
function commentOf(ts, source, statement) {
  const range = ts.getLeadingCommentRanges(source.text, statement.getFullStart())?.at(-1);
  return range ? `${source.text.slice(range.pos, range.end)}\n` : '';
}

/** Keeps a declaration under its name. @returns the name, if it is exported */
function keep({ ts, found }, path, source, statement) {
  const name = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations[0].name.text
    : statement.name?.text;
  if (!name) throw new Error(`${path}: a declaration without a name`);
  const code = statement.getText(source).replaceAll(ruleCitation, '');
  const comment = commentOf(ts, source, statement).replaceAll(ruleCitation, '');
  const isExported = code.startsWith('export ');
  const text = `${comment}${isExported ? code.slice('export '.length) : code}\n`;
  const before = found.statements.get(name);
  // A module that is read twice, or one more overload of a function.
  if (before?.path === path) {
    if (!before.text.includes(text)) before.text += text;
  } else if (before) throw new Error(`${path}: ${name} is also declared in ${before.path}`);
  else found.statements.set(name, { path, text, node: [statement] });
  if (before?.path === path) before.node.push(statement);
  return isExported ? [name] : [];
}

/** The names that the declarations of some names need, and those of these. */
function reachable(ts, statements, names) {
  const used = new Set();
  const visit = (name) => {
    if (used.has(name)) return;
    used.add(name);
    for (const statement of statements.get(name)?.node ?? []) walk(statement);
  };
  const walk = (node) => {
    if (ts.isIdentifier(node)) visit(node.text);
    ts.forEachChild(node, walk);
  };
  for (const name of names) visit(name);
  return used;
}
