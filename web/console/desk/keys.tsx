import { Kbd, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { addFilter } from '../../staff/parts/filter_row.tsx';

/** The places in which keys have a meaning of their own. */
const elsewhere = '[role="menu"], [role="dialog"], [aria-haspopup]';

/** Brings the focus to the next case, or the one before; to the first where none has it. */
function move(by: 1 | -1): void {
  const { activeElement } = document;
  if (activeElement?.closest(elsewhere)) return;
  const links = [...document.querySelectorAll<HTMLElement>('.list .row-link')];
  const at = links.indexOf(activeElement as HTMLElement);
  links[at < 0 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1)]?.focus();
}

/** The desk by keyboard. A field that has the focus keeps its keys. */
export function Keys() {
  useHotkeys([
    ['j', () => move(1)],
    ['ArrowDown', () => move(1)],
    ['k', () => move(-1)],
    ['ArrowUp', () => move(-1)],
    ['/', () => document.querySelector<HTMLElement>(`.${addFilter}`)?.click()],
  ]);
  return (
    <Text size="xs" c="dimmed" mt="xs">
      Keys: <Kbd size="xs">j</Kbd> and <Kbd size="xs">k</Kbd> or the arrows move,{' '}
      <Kbd size="xs">Enter</Kbd> opens, <Kbd size="xs">/</Kbd> adds a filter.
    </Text>
  );
}
