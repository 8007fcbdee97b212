import type { ErrorCode } from '@tenant-payments/contract/core/errors.ts';
import type { RawRequest } from './send.ts';

/** What a reply must be. Every reply must also be one that the contract lists, and no 5xx. */
export type Expectation =
  | {
      readonly kind: 'refused';
      readonly codes: readonly ErrorCode[];
      /** The field at fault; absent: not looked at. */
      readonly param?: string | null;
      /** A field of the object `param` will do as well. */
      readonly within?: boolean;
      readonly reason?: string;
    }
  | { readonly kind: 'success' }
  /** What the contract allows, of which the rest of the request may still be refused. */
  | { readonly kind: 'allowed' }
  /** Free text: it is taken, and where the record shows the field, it shows what was sent. */
  | { readonly kind: 'taken'; readonly path: readonly string[]; readonly value: unknown }
  /** The same verdict as another request gets, and nothing that one would not show. */
  | { readonly kind: 'like'; readonly other: RawRequest; readonly shows?: 'nothing' }
  | { readonly kind: 'head'; readonly other: RawRequest }
  /** There is no such operation. */
  | { readonly kind: 'nowhere' };

export interface Case {
  readonly name: string;
  readonly request: RawRequest;
  readonly expect: Expectation;
}
