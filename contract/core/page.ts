import Type, { type TSchema } from 'typebox';
import { Closed, Nullable } from './schema.ts';

/** The envelope of every list. */
export const List = <T extends TSchema>(item: T) =>
  Closed({
    object: Type.Literal('list'),
    data: Type.Array(item),
    has_more: Type.Boolean(),
    next_cursor: Nullable(Type.String()),
  });

/** Records on a page when the request names no `limit`. */
export const defaultLimit = 25;

/** `limit` and `cursor` of every paged list: 1 to 100 records. */
export const pageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: defaultLimit })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
};
