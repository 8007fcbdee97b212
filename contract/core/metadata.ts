import Type from 'typebox';
import { Extension, Text } from './schema.ts';

/** References of a Tenant's own on a record that it creates (rules/reads#7). */
export type Metadata = Record<string, string>;

const most = { keys: 20, keyLength: 40, valueLength: 500 };

const Key = { ...Text(most.keyLength) };

export const Metadata = Extension(
  Type.Unsafe<Metadata>({
    type: 'object',
    maxProperties: most.keys,
    propertyNames: Key,
    patternProperties: { '^[\\s\\S]*$': Text(most.valueLength) },
    description: `Own references, never interpreted: up to ${most.keys} keys of ${most.keyLength} characters, values of ${most.valueLength}; only on records that were created with it`,
  }),
);
