import { openTenantServer, type TenantServer } from './tenant_server.ts';

/** A call of one of its methods. */
export interface Order {
  readonly name: keyof TenantServer;
  readonly args: readonly unknown[];
}

/** The value or the failure of an order. */
export type Answer = { readonly value: unknown } | { readonly failure: string };

const tenantServer = openTenantServer();

const tell = (answer: Answer): void => {
  process.send?.(answer);
};

process.on('message', ({ name, args }: Order) => {
  const method = tenantServer[name] as (...given: readonly unknown[]) => Promise<unknown>;
  method(...args).then(
    (value) => tell({ value }),
    (error: unknown) => tell({ failure: String(error) }),
  );
});

// A drill that breaks off leaves no process behind.
process.on('disconnect', () => process.exit());
