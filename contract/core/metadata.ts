import Type from 'typebox';
import { Extension, Text } from './schema.ts';

/** References of a Tenant's own on a record that it creates (rules/reads#7). */
export type Metadata = Record<string, string>;

const most = { keys: 20, keyLength: 40, valueLength: 500 };

const Key = { ...Text(most.keyLength) };

const metadataOf = (description: string) =>
  Extension(
    Type.Unsafe<Metadata>({
      type: 'object',
      maxProperties: most.keys,
      propertyNames: Key,
      patternProperties: { '^[\\s\\S]*$': Text(most.valueLength) },
      description,
    }),
  );

export const Metadata = metadataOf(
  `Own references, never interpreted: up to ${most.keys} keys of ${most.keyLength} characters, values of ${most.valueLength}; only on records that were created with it`,
);

/** A filter of lists (rules/reads#8). */
export const MetadataFilter = metadataOf(
  'Only records with all these own values. In the address each is a parameter `metadata[key]=value`',
);
