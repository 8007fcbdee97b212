import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface ToProps {
  readonly id: string;
  /** Absent: the id. */
  readonly children?: ReactNode;
}

const ToDrawer = ({ to, id, children = id }: ToProps & { readonly to: string }) => (
  <Anchor
    component={Link}
    to={to}
    search={{ open: id } as never}
    size="sm"
    ff="monospace"
    className="breaks"
  >
    {children}
  </Anchor>
);

/** The drawer of a request. */
export const ToRequest = (props: ToProps) => <ToDrawer to="/requests" {...props} />;
/** The drawer of an event. */
export const ToEvent = (props: ToProps) => <ToDrawer to="/events" {...props} />;
