import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** An id that opens its record. */
export const RecordLink = ({ id }: { readonly id: string }) => (
  <Anchor
    component={Link}
    to="/record/$id"
    params={{ id } as never}
    ff="monospace"
    size="sm"
    className="breaks"
  >
    {id}
  </Anchor>
);
