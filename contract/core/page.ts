import Type, { type TSchema } from 'typebox';
import { Closed, Nullable } from './schema.ts';

/** The list envelope (contract: Resources, "List envelope"). */
export const List = <T extends TSchema>(item: T) =>
  Closed({
    object: Type.Literal('list'),
    data: Type.Array(item),
    has_more: Type.Boolean(),
    next_cursor: Nullable(Type.String()),
  });

/** `limit` and `cursor` of every paged list (contract: Limits, page size 1 to 100, default 25). */
export const pageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
};
