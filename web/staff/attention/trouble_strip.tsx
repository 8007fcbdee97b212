import { Alert, Anchor, List } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useAttention } from './use_attention.ts';
import { saidOf, wayOf } from './words.ts';

/**
 * The failures and the late work, in the same words at the top of each page that is about trouble.
 */
export function TroubleStrip() {
  const { items, isConsole } = useAttention();
  if (items === undefined) return null;
  const troubles = items.filter(({ is_trouble }) => is_trouble);
  return (
    <div aria-live="polite">
      {troubles.length === 0 ? (
        <Alert color="green" title="Nothing to worry about" />
      ) : (
        <Alert color="red" title="This needs you">
          <List size="sm">
            {troubles.map((item) => (
              <List.Item key={item.kind}>
                <Anchor
                  component={Link}
                  {...(wayOf(item, isConsole) as object)}
                  size="sm"
                  underline="always"
                  c="inherit"
                >
                  {saidOf(item)}
                </Anchor>
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </div>
  );
}
