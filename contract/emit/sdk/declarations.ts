import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { declarationsOf } from '../../../scripts/sdk_declarations.mjs';

/** An export of a package, by its name. */
export interface PackageExport {
  readonly name: string;
  readonly kind: 'function' | 'value' | 'class' | 'type';
  /** The text of its docstring, as Markdown. */
  readonly text: string;
  /** The declarations, without that docstring. */
  readonly code: string;
  readonly node: ts.Statement;
}

const kinds: ReadonlyMap<ts.SyntaxKind, PackageExport['kind']> = new Map([
  [ts.SyntaxKind.FunctionDeclaration, 'function'],
  [ts.SyntaxKind.VariableStatement, 'value'],
  [ts.SyntaxKind.ClassDeclaration, 'class'],
]);

/** A tag and its first line, as an item of a list. */
function tagged(line: string): string {
  const [, tag = '', rest = ''] = /^@(\w+) (.*)$/.exec(line) ?? [];
  const [, name, words] = tag === 'param' ? (/^(\w+) (.*)$/.exec(rest) ?? []) : [];
  if (name !== undefined) return `- \`${name}\`: ${words}`;
  return `- ${tag.charAt(0).toUpperCase()}${tag.slice(1)} ${rest}`;
}

/** The docstring above a node, as Markdown: tags become a list. */
export function textOf(node: ts.Node): string {
  const { text } = node.getSourceFile();
  const range = ts.getLeadingCommentRanges(text, node.getFullStart())?.at(-1);
  if (!range) return '';
  const lines = text
    .slice(range.pos + '/**'.length, range.end - '*/'.length)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd());
  const isTag = (line: string) => line.startsWith('@');
  const first = lines.findIndex(isTag);
  const body = first < 0 ? lines : lines.slice(0, first);
  const tags =
    first < 0 ? [] : lines.slice(first).map((line) => (isTag(line) ? tagged(line) : line));
  return [body.join('\n').trim(), tags.join('\n').trim()]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Declarations as the house writes code: two spaces, no `declare`. */
const tidy = (code: string): string =>
  code
    .replace(/^(declare )/, '')
    .replaceAll(/^( {4})+/gm, (indent) => indent.slice(indent.length / 2));

const nameOf = (statement: ts.Statement): string =>
  ts.isVariableStatement(statement)
    ? (statement.declarationList.declarations[0]?.name.getText() ?? '')
    : ((statement as ts.DeclarationStatement).name?.getText() ?? '');

/** Everything that an entry of a package exports, in the order of its index. */
export async function exportsOf(folder: string, entry: string, entries: readonly string[]) {
  const path = fileURLToPath(new URL(`../../../${folder}`, import.meta.url));
  const text = await declarationsOf({ folder: path, entry, entries });
  const source = ts.createSourceFile(`${entry}.d.ts`, text, ts.ScriptTarget.Latest, true);
  const found = new Map<string, PackageExport>();
  for (const node of source.statements) {
    if (ts.isExportDeclaration(node) || ts.isImportDeclaration(node)) continue;
    const name = nameOf(node);
    const before = found.get(name);
    const code = tidy(node.getText());
    const kind = kinds.get(node.kind) ?? 'type';
    if (before) found.set(name, { ...before, code: `${before.code}\n${code}` });
    else found.set(name, { name, kind, text: textOf(node), code, node });
  }
  const last = source.statements.find(ts.isExportDeclaration);
  const clause = last?.exportClause;
  const names = clause && ts.isNamedExports(clause) ? clause.elements : [];
  return names.flatMap(({ name }) => found.get(name.text) ?? []);
}
