import { Alert, Anchor, Button, Group, Input, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ChangeEvent, useId, useState } from 'react';
import { Failed } from '../../staff/api/call.ts';
import { isSandbox } from '../../staff/api/environment.ts';
import { useCall } from '../../staff/api/queries.ts';
import { Section } from '../../staff/parts/section.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { TenantFilter } from '../tenants/tenant_filter.tsx';

interface Asked {
  readonly tenantId: string;
  readonly day: string;
}

/** The bytes as they are: their encoding is for the service to tell. */
async function inBase64(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const pieces: string[] = [];
  const pieceLength = 0x8000;
  for (let at = 0; at < bytes.length; at += pieceLength)
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + pieceLength)));
  return btoa(pieces.join(''));
}

/** Reads the file, has it stored, and goes to its comparison. */
function useUpload({ tenantId, day }: Asked, file: File | null) {
  const ask = useCall();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    async mutationFn() {
      return ask('POST /portal/api/bank-statements', {
        tenant_id: tenantId === '' ? null : tenantId,
        day,
        file: await inBase64(file ?? new Blob()),
        file_name: file?.name ?? '',
      });
    },
    async onSuccess({ id }) {
      await queries.invalidateQueries();
      await navigate({ to: '/money/statements/$id' as never, params: { id } as never });
    },
  });
}

/** Why a file was refused: the line, or the statement that it is already. */
function Refused({ error }: { readonly error: Error }) {
  const isFile = error instanceof Failed && error.failure.kind === 'refused';
  if (!isFile) return <Trouble error={error} />;
  const { statement_id: id } = error.details as { readonly statement_id?: string };
  return (
    <Alert color="red" role="alert" title="The file was refused, nothing is stored">
      <Text size="sm">{error.text}</Text>
      {id && (
        <Anchor
          component={Link}
          size="sm"
          c="inherit"
          underline="always"
          to="/money/statements/$id"
          params={{ id } as never}
        >
          See that statement
        </Anchor>
      )}
    </Alert>
  );
}

/** Saves a text as a file of the browser. */
function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}

/** The file that a sandbox's bank would send. */
function SandboxFile({ tenantId, day }: Asked) {
  const ask = useCall();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => ask('GET /portal/api/sandbox/bank-statement', { tenant_id: tenantId, day }),
    onSuccess: ({ file_name, csv }) => save(file_name, csv),
  });
  return (
    <>
      <Button
        variant="default"
        disabled={tenantId === '' || day === ''}
        loading={isPending}
        onClick={() => mutate()}
      >
        Get the sandbox bank's file
      </Button>
      {error && <Trouble error={error} />}
    </>
  );
}

/** Takes the bank's statement of a day. */
export function UploadStatement() {
  const [tenantId, setTenant] = useState('');
  const [day, setDay] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const upload = useUpload({ tenantId, day }, file);
  const fileId = useId();
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    upload.reset();
    setFile(currentTarget.files?.[0] ?? null);
  };
  return (
    <Section
      title="Upload a statement"
      text="A file of one account and one day: BAI2 as your bank sends it, or CSV. The first line of a CSV names the columns: date, amount (dollars) or amount_cents, reference, and if you like description and closing_balance. Below zero the bank paid out."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          upload.mutate();
        }}
      >
        <Stack gap="sm">
          <Group align="flex-end" gap="sm">
            <TenantFilter none="Pooled account" value={tenantId} onChange={setTenant} />
            <TextInput
              type="date"
              label="Day"
              required
              value={day}
              onChange={({ currentTarget }) => setDay(currentTarget.value)}
            />
          </Group>
          <Input.Wrapper label="File" labelProps={{ htmlFor: fileId }} required>
            <div>
              <input
                id={fileId}
                type="file"
                accept=".csv,.bai,.bai2,.txt,text/csv,text/plain"
                onChange={choose}
              />
            </div>
          </Input.Wrapper>
          {upload.error && <Refused error={upload.error} />}
          <Group>
            <Button type="submit" disabled={file === null || day === ''} loading={upload.isPending}>
              Upload and compare
            </Button>
            {isSandbox && <SandboxFile tenantId={tenantId} day={day} />}
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
