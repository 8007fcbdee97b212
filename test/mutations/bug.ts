import ts from 'typescript';

/** A mistake in one named function, and the tests that are to catch it. */
export interface Bug {
  readonly name: string;
  /** The file that it stands in, from the root of the repository. */
  readonly file: string;
  /** The function, constant or method in which it is made; of several, the outermost. */
  readonly in: string;
  /** Part of it, and what stands there with the bug; spaces and line breaks do not count. */
  readonly swap: readonly [from: string, to: string];
  /** The test files that are to catch it: the smallest that should. */
  readonly tests: readonly string[];
  /** A part of the names of the tests that are run of them; absent: all. */
  readonly named?: string;
  /** The harm that would come of it. */
  readonly why: string;
}

const nameOf = (node: ts.Node): string | undefined => {
  const name = (node as { name?: ts.Node }).name;
  const isNamed =
    ts.isFunctionDeclaration(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isPropertyAssignment(node);
  return isNamed && name && (ts.isIdentifier(name) || ts.isStringLiteral(name))
    ? name.text
    : undefined;
};

/** The ranges of the outermost declarations of this name. */
function declarations(file: string, text: string, name: string): [start: number, end: number][] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: { depth: number; range: [number, number] }[] = [];
  const visit = (node: ts.Node, depth: number): void => {
    if (nameOf(node) === name) found.push({ depth, range: [node.getStart(), node.getEnd()] });
    ts.forEachChild(node, (child) => visit(child, depth + 1));
  };
  visit(source, 0);
  const outermost = Math.min(...found.map(({ depth }) => depth));
  return found.filter(({ depth }) => depth === outermost).map(({ range }) => range);
}

/** Matches the same words and signs, however they are spaced. */
function spacedAnyhow(part: string): RegExp {
  const pieces = part.trim().match(/\w+|[^\w\s]/g) ?? [];
  const escaped = pieces.map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const starts = /^\w/.test(part.trim()) ? '(?<!\\w)' : '';
  const ends = /\w$/.test(part.trim()) ? '(?!\\w)' : '';
  return new RegExp(`${starts}${escaped.join('\\s*')}${ends}`, 'g');
}

/**
 * A file's text with the bug in it.
 * @throws when its function, or the part of it that is swapped, is not there exactly once
 */
export function mutated({ name, file, in: place, swap: [from, to] }: Bug, text: string): string {
  const [first, ...others] = declarations(file, text, place);
  if (!first || others.length > 0)
    throw new Error(`${name}: ${file} declares ${place} ${first ? 'twice' : 'nowhere'}`);
  const body = text.slice(...first);
  const matches = [...body.matchAll(spacedAnyhow(from))];
  const [match] = matches;
  if (!match || matches.length > 1)
    throw new Error(`${name}: ${from} occurs ${matches.length} times in ${place}, not once`);
  const at = first[0] + match.index;
  return text.slice(0, at) + to + text.slice(at + match[0].length);
}
