import { records } from '@tenant-payments/contract/catalog.ts';
import { anyIdOf } from '@tenant-payments/contract/core/ids.ts';
import { Closed } from '@tenant-payments/contract/core/schema.ts';
import type { Resource } from '@tenant-payments/contract/lifecycles.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { TObject } from 'typebox';
import { assertShape } from '../../http/serve/validation.ts';
import type { FoundRecord } from './records.ts';

/** One for each resource, so that each is compiled once. */
const shapes = new Map<Resource, TObject>();

function shapeOf(resource: Resource): TObject {
  const shape = shapes.get(resource) ?? Closed({ object: records[resource] });
  shapes.set(resource, shape);
  return shape;
}

/** The uuid of its id; null: it has none, or one of another kind. */
export function uuidOfRecord(resource: Resource, object: object): string | null {
  const named = anyIdOf(String((object as { readonly id?: unknown }).id));
  return named?.kind === resource ? named.uuid : null;
}

/**
 * A receiver must get nothing from a test that the API would not send: a whole record of the kind.
 * @param found the record that it stands for, whose id it keeps
 * @throws ApiError parameter_missing, parameter_invalid
 */
export function assertRecord(resource: Resource, object: object, found: FoundRecord | null): void {
  assertShape(shapeOf(resource), { object });
  // A report has no id.
  if (found === null || !('id' in object) || uuidOfRecord(resource, object) === found.id) return;
  throw fail('parameter_invalid', {
    param: 'object.id',
    details: { reason: 'not_the_record' },
    message: 'object.id is not the record of object_id',
  });
}
