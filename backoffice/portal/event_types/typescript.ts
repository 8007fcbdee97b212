import { objectType, type Shape } from '@tenant-payments/contract/core/typescript.ts';

const nameOf = (type: string): string =>
  type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** The type of an event as TypeScript, written out: it imports nothing. */
export const typescriptOf = (type: string, schema: Shape): string =>
  `/** \`EventOf<'${type}'>\` of @tenant-payments/sdk-server. */\nexport interface ${nameOf(type)} ${objectType(schema)}\n`;
