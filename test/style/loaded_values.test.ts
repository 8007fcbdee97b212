import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { sourcesOf } from '../kit/plane_files.ts';

/** Values that `load` has worked out of rows, and that a command before this one in the batch cannot make untrue. */
const exceptions: Readonly<Record<string, string>> = {
  'service/inbound/book_message.ts isHeld': 'of columns that never change, in sets',
  'service/resources/disputes/sent_credit.ts isInTransit': 'of a column that never changes',
  'service/sandbox/simulate/identity_says.ts isAsked': 'simulated: what the provider says is kept',
};

/** A name of a truth or an amount, which rows alone have. */
const workedOut = /^(?:is|has|was|may|can|does)[A-Z]|Cents$|^(?:left|total|sum|count)$/;

type Callable = ts.ArrowFunction | ts.FunctionDeclaration | ts.FunctionExpression;
const isCallable = (node: ts.Node): node is Callable =>
  ts.isArrowFunction(node) || ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node);

const reads = ({ parameters }: Callable): boolean =>
  parameters.some(({ name }) => ts.isIdentifier(name) && name.text === 'read');

/** Whether a property is a function, by which `decide` asks for its value. */
const isAsked = (property: ts.ObjectLiteralElementLike): boolean =>
  ts.isMethodDeclaration(property) ||
  (ts.isPropertyAssignment(property) && isCallable(property.initializer));

/** The objects that a function gives back itself, not those of functions within. */
function returnedBy({ body }: Callable): ts.ObjectLiteralExpression[] {
  const found: ts.ObjectLiteralExpression[] = [];
  const take = (node: ts.Expression | undefined): void => {
    if (!node) return;
    if (ts.isParenthesizedExpression(node)) take(node.expression);
    else if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(take);
    else if (ts.isObjectLiteralExpression(node)) found.push(node);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node)) take(node.expression);
    else if (!isCallable(node)) ts.forEachChild(node, visit);
  };
  if (body && ts.isBlock(body)) ts.forEachChild(body, visit);
  else if (body) take(body);
  return found;
}

/** The values worked out by the functions of a file that read rows. */
function foundIn(path: string, text = readFileSync(path, 'utf8')): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (isCallable(node) && reads(node)) {
      const type = node.type?.getText(file) ?? '';
      const name = node.name?.getText(file) ?? type;
      if (/^Promise<(?:boolean|number)>$/.test(type)) found.add(`${path} ${name}`);
      for (const { properties } of returnedBy(node))
        for (const property of properties)
          if (!isAsked(property) && workedOut.test(property.name?.getText(file) ?? ''))
            found.add(`${path} ${property.name?.getText(file)}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...found];
}

test('what a command decides by is worked out in decide, from rows as they are by then', () => {
  const found = sourcesOf([
    'service/flows',
    'service/inbound',
    'service/resources',
    'service/sandbox',
  ])
    .flatMap((path) => foundIn(path))
    .toSorted();
  expect(found).toEqual(Object.keys(exceptions).toSorted());
});

test('a value that a load works out is found, and rows are not', () => {
  const found = (text: string) => foundIn('f.ts', text);
  expect(found('const f = (read) => ({ isTold: g(read), row: 1 });')).toEqual(['f.ts isTold']);
  expect(found('function f(read) { if (a) return { left: 1 }; return { row: 2 }; }')).toEqual([
    'f.ts left',
  ]);
  expect(found('const f = (read) => ({ isTold: () => row.told });')).toEqual([]);
  expect(found('async function sum(read): Promise<number> { return 1; }')).toEqual(['f.ts sum']);
  expect(found('const f = (read) => ({ row, end: () => ({ isOver: true }) });')).toEqual([]);
});
