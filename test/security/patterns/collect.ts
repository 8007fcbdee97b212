import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/** The regular expressions of a source file. */
export interface Written {
  readonly file: string;
  readonly patterns: readonly RegExp[];
  /** How many `RegExp(…)` are made of something else than a literal. */
  readonly built: number;
}

/** The code of some folders, tests apart. */
export const sourceFiles = (folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|tsx|js|mjs)$/.test(name) && !/\.test(?:-d)?\.tsx?$/.test(name))
      .filter((name) => !/(?:^|\/)(?:node_modules|dist)\//.test(name))
      .map((name) => `${folder}/${name}`),
  );

const parsed = (file: string) =>
  ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);

function literalOf(text: string): RegExp {
  const end = text.lastIndexOf('/');
  return new RegExp(text.slice(1, end), text.slice(end + 1));
}

/** The pattern that `RegExp(…)` makes of literals; null: something else. */
function madeOf([text, flags]: readonly ts.Expression[]): RegExp | null {
  if (!text || !ts.isStringLiteralLike(text)) return null;
  if (flags && !ts.isStringLiteralLike(flags)) return null;
  return new RegExp(text.text, flags?.text);
}

export function writtenIn(file: string): Written {
  const source = parsed(file);
  const patterns: RegExp[] = [];
  let built = 0;
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.RegularExpressionLiteral)
      patterns.push(literalOf(node.getText(source)));
    const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
    if (isCall && node.expression.getText(source) === 'RegExp') {
      const made = madeOf(node.arguments ?? []);
      if (made) patterns.push(made);
      else built++;
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { file, patterns, built };
}

/** The regular expressions by which Ajv checks formats, but for formats that are not among these. */
export function patternsOfFormats(names: readonly string[]): readonly RegExp[] {
  const source = parsed('node_modules/ajv-formats/dist/formats.js');
  const patterns: RegExp[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node)) {
      const isString = ts.isIdentifier(node.name) || ts.isStringLiteral(node.name);
      if (isString && !names.includes(node.name.text)) return;
    }
    if (node.kind === ts.SyntaxKind.RegularExpressionLiteral)
      patterns.push(literalOf(node.getText(source)));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return patterns;
}

/** The demands of the schemas in a value on texts, by keyword. */
export function askedBy(value: unknown, keyword: 'pattern' | 'format'): readonly string[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === keyword && typeof inner === 'string' ? [inner] : askedBy(inner, keyword),
  );
}
