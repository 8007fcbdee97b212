import { Alert, Button, Code, Group, List, Progress, Stack, Text } from '@mantine/core';
import { type Proof as Proven, useProof } from '../api/proof.ts';
import { RecordLink } from '../parts/record_link.tsx';
import { counted, inWords } from '../parts/tell.ts';
import { Trouble } from '../parts/trouble.tsx';

function titleOf({ ok, checked, violations }: Proven): string {
  const open = violations.filter(({ acknowledged }) => acknowledged === undefined).length;
  const acknowledged = violations.length - open;
  const besides = acknowledged === 0 ? '' : `, besides ${acknowledged} acknowledged`;
  return ok
    ? `All ${checked.toLocaleString('en-US')} rows agree with each other${besides}.`
    : `${counted(open, 'violation')} among ${counted(checked, 'row')}${besides}.`;
}

/** Checks the whole ledger on a button, and shows how far it is. */
export function Proof() {
  const { progress, proof, error, isRunning, start } = useProof();
  return (
    <Stack gap="xs" maw={640}>
      <Group gap="xs">
        <Button variant="default" disabled={isRunning} onClick={start}>
          Check the ledger
        </Button>
        <Text size="sm" c="dimmed">
          Every invariant, over all of your entries, records and events.
        </Text>
      </Group>
      {isRunning && (
        <div>
          <Progress
            value={progress ? (100 * progress.done) / progress.all : 0}
            aria-label="Progress of the check"
            transitionDuration={150}
          />
          <Text size="sm" c="dimmed">
            {progress
              ? `${progress.done} of ${progress.all}: ${inWords(progress.name)}`
              : 'Beginning'}
          </Text>
        </div>
      )}
      {error && <Trouble error={error} onRetry={start} />}
      {proof && (
        <Alert color={proof.ok ? 'green' : 'red'} role="status" title={titleOf(proof)}>
          {proof.violations.length > 0 && (
            <List size="sm">
              {proof.violations.map(({ invariant, subject, message, acknowledged }) => (
                <List.Item key={`${invariant} ${subject} ${message}`} className="breaks">
                  <Code>{invariant}</Code> <RecordLink id={subject} /> {message}
                  {acknowledged !== undefined && ' (acknowledged)'}
                </List.Item>
              ))}
            </List>
          )}
        </Alert>
      )}
    </Stack>
  );
}
