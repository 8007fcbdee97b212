import { CopyButton } from '@mantine/core';
import { shortened } from '@tenant-payments/contract/core/fields/field.ts';

/** An id, short, whole where the pointer rests; a press copies it. */
export const ShortId = ({ id }: { readonly id: string }) => (
  <CopyButton value={id}>
    {({ copied, copy }) => (
      <button
        type="button"
        className="short-id"
        title={id}
        aria-label={copied ? 'Copied' : `Copy ${id}`}
        onClick={copy}
      >
        {copied ? 'Copied' : shortened(id)}
      </button>
    )}
  </CopyButton>
);
