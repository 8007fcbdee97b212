import fc from 'fast-check';
import type { RawRequest } from '../../contract/send.ts';
import { type Tree, write } from './json_tree.ts';
import { type Draft, wrongAround, wrongAt } from './mutations.ts';
import { type Operation, operations } from './operations.ts';
import { encoded, parameterOf, treeOf } from './values.ts';

/** A request with marks in place of what the running service knows. */
export interface Planned {
  readonly operation: Operation;
  readonly request: RawRequest;
  /** Something was made wrong; it may be accepted nevertheless. */
  readonly isBroken: boolean;
}

const bearers = {
  tenant: '~own.token.0~',
  operator: '~own.operator.0~',
  page: '~own.fb.INDEX~',
  none: null,
} as const;

/** A form holds the text of its fields. */
const formOf = (tree: Tree): string => {
  if (!('fields' in tree)) return write(tree);
  const text = (value: Tree) => {
    const json = write(value);
    return /^".*"$/s.test(json) ? String(JSON.parse(json)) : json;
  };
  return tree.fields.map(([name, value]) => [name, text(value)].map(encoded).join('=')).join('&');
};

/** A request that the operation mostly accepts, but for its body. */
function headOf(operation: Operation): fc.Arbitrary<Draft> {
  const { method, path, params, query, caller, takesKey } = operation;
  const values = (list: Operation['params']) =>
    fc.tuple(
      ...list.map(({ name, schema, example, required }) => {
        const value = parameterOf(schema, name, example).map(
          (text) => [name, encoded(text)] as const,
        );
        return required ? value : fc.option(value, { nil: null, freq: 1 });
      }),
    );
  return fc
    .tuple(values(params), values(query), fc.nat(99))
    .map(([inPath, inQuery, index]): Draft => {
      const bearer = bearers[caller]?.replace('INDEX', String(index));
      return {
        method,
        path,
        params: Object.fromEntries(inPath.flatMap((one) => (one ? [one] : []))),
        query: inQuery.flatMap((one) => (one ? [one.join('=')] : [])),
        headers: {
          ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
          ...(takesKey ? { 'idempotency-key': `~new.key.${index}~` } : {}),
        },
        body: undefined,
      };
    });
}

function requestOf({ method, path, params, query, headers, body }: Draft): RawRequest {
  const where = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  const search = query.length === 0 ? '' : `?${query.join('&')}`;
  return { method, path: where + search, headers, ...(body === undefined ? {} : { body }) };
}

function plannedOf(operation: Operation): fc.Arbitrary<Planned> {
  const { body, isForm } = operation;
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  const withBody = (draft: Draft, tree: Tree): Draft => ({
    ...draft,
    headers: { 'content-type': type, ...draft.headers },
    body: isForm ? formOf(tree) : write(tree),
  });
  const head = headOf(operation);
  const valid = body
    ? fc.tuple(head, treeOf(body)).map(([draft, tree]) => withBody(draft, tree))
    : head;
  const around = valid.chain(wrongAround);
  const within = body
    ? fc.tuple(head, treeOf(body).chain(wrongAt)).map(([draft, tree]) => withBody(draft, tree))
    : around;
  const planned = (isBroken: boolean) => (draft: Draft) => ({
    operation,
    request: requestOf(draft),
    isBroken,
  });
  return fc.oneof(
    { weight: 1, arbitrary: valid.map(planned(false)) },
    { weight: 5, arbitrary: within.map(planned(true)) },
    { weight: 3, arbitrary: around.map(planned(true)) },
  );
}

/** Requests of every operation; of those that take a body twice as many. */
export const requests: fc.Arbitrary<Planned> = fc.oneof(
  ...operations.map((operation) => ({
    weight: operation.body ? 2 : 1,
    arbitrary: plannedOf(operation),
  })),
);
