import type { ReactNode } from 'react';
import type { IconName } from './page_group.ts';

/** Drawn on a grid of 24, in the color of the text beside it. */
const paths: Readonly<Record<IconName, ReactNode>> = {
  home: <path d="M4 11l8-7 8 7v8.5a1 1 0 01-1 1h-4.5V14h-5v6.5H5a1 1 0 01-1-1z" />,
  records: <path d="M5 4.5h14v15H5zM5 9.5h14M10 9.5v10" />,
  money: (
    <path d="M3.5 7h17v10h-17zM12 9.7a2.3 2.3 0 100 4.6 2.3 2.3 0 000-4.6zM6.5 12h.01M17.5 12h.01" />
  ),
  developers: <path d="M8.5 7.5L4 12l4.5 4.5M15.5 7.5L20 12l-4.5 4.5" />,
  tenant: <path d="M4 20V9.5l8-5 8 5V20M4 20h16M9.5 20v-6h5v6" />,
  review: <path d="M5 4.5h14v15H5zM8.5 12.5l2.5 2.5 4.5-5.5" />,
  platform: <path d="M12 3.5l8.5 4.5-8.5 4.5L3.5 8zM4 12.5l8 4.3 8-4.3M4 16.7L12 21l8-4.3" />,
  operations: <path d="M3.5 12.5h4l2.5-7 4 13 2.5-6h4" />,
  fold: <path d="M8.5 10l3.5 4 3.5-4" />,
  choose: <path d="M8.5 9.5L12 5.5l3.5 4M8.5 14.5l3.5 4 3.5-4" />,
};

/** A picture beside a word, which says the same. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
    {paths[name]}
  </svg>
);
