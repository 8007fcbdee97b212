import type { Json } from '../openapi/schemas.ts';

/** The example of a call: its request, and its reply where that is not the record as GET shows it. */
export interface OperationExample {
  readonly path?: Json;
  readonly query?: Json;
  readonly body?: Json;
  readonly reply?: Json;
}
