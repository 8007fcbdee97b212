import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTenant } from '../../../staff/api/queries.ts';
import { Trouble } from '../../../staff/parts/trouble.tsx';

/** The whole filtered list as a file; a link could not name the Tenant whose chain it is. */
export function Download({ asked }: { readonly asked: Readonly<Record<string, string>> }) {
  const tenantId = useTenant();
  const load = useMutation({
    mutationFn: async () => {
      const query = new URLSearchParams({ ...asked, format: 'csv' });
      const reply = await fetch(`/portal/api/audit?${query}`, {
        credentials: 'same-origin',
        headers: tenantId === null ? {} : { 'tenant-id': tenantId },
      });
      if (!reply.ok) throw new Error('The file could not be read. Try again in a moment.');
      const address = URL.createObjectURL(await reply.blob());
      const link = document.createElement('a');
      link.href = address;
      link.download = 'audit.csv';
      link.click();
      URL.revokeObjectURL(address);
    },
  });
  return (
    <>
      <Button variant="default" loading={load.isPending} onClick={() => load.mutate()}>
        Download the CSV
      </Button>
      {load.error && <Trouble error={load.error} />}
    </>
  );
}
