import { Button, Code, Stack, Text } from '@mantine/core';
import { apiUrl } from '../../../staff/api/environment.ts';
import { CopyText } from '../../../staff/parts/json_view.tsx';
import type { RecordList } from './lists.ts';

/** A call as a shell sends it. */
const curlOf = ([path, body]: NonNullable<RecordList['call']>): string =>
  [
    `curl ${apiUrl}${path} \\`,
    `  -H "Authorization: Bearer $TOKEN" \\`,
    `  -H "Idempotency-Key: $(uuidgen)" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`,
  ].join('\n');

interface NothingYetProps {
  readonly list: RecordList;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

/** Why a list is empty, and how it gets its first row. */
export function NothingYet({ list, isFiltered, onClear }: NothingYetProps) {
  const { title, first, call } = list;
  if (isFiltered)
    return (
      <>
        <Text fw={600}>No {title.toLowerCase()} match these filters</Text>
        <Button size="compact-sm" variant="default" onClick={onClear}>
          Clear filters
        </Button>
      </>
    );
  return (
    <>
      <Text fw={600}>No {title.toLowerCase()} yet</Text>
      <Text size="sm" c="dimmed">
        {first}
      </Text>
      {call && (
        <Stack gap={4} w="100%" ta="left">
          <Code
            block
            tabIndex={0}
            className="wrapped"
            aria-label="The call that makes the first one"
          >
            {curlOf(call)}
          </Code>
          <CopyText label="Copy the call" text={curlOf(call)} />
        </Stack>
      )}
    </>
  );
}
