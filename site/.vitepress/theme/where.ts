import { withBase } from 'vitepress';

/** The service that serves the site; null: none, it is on a host for files. */
export interface Where {
  readonly environment: 'sandbox' | 'production' | null;
  readonly base_url?: string;
  /** In a sandbox, of the Tenant that it brings; its secret is not served. */
  readonly client_id?: string;
}

let reading: Promise<Where> | null = null;

export const readWhere = (): Promise<Where> => {
  reading ??= fetch(withBase('/where.json')).then((reply) => reply.json());
  return reading;
};
