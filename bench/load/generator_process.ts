import { drive, type LoadPlan, type LoadReport } from './drive.ts';

/** The messages of the generator to its parent, in this order. */
export type GeneratorMessage =
  | { readonly kind: 'opened' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'done'; readonly report: LoadReport }
  | { readonly kind: 'failed'; readonly reason: string };

const tell = (message: GeneratorMessage): void => {
  process.send?.(message);
};

/** A separate process, so that its processor time can be measured. It ends with its parent. */
process.on('message', (plan: LoadPlan) => {
  drive(plan, { onOpen: () => tell({ kind: 'opened' }), onClose: () => tell({ kind: 'closed' }) })
    .then((report) => tell({ kind: 'done', report }))
    .catch((error: unknown) => tell({ kind: 'failed', reason: String(error) }));
});
process.on('disconnect', () => process.exit());
