/** Whether the page belongs to a sandbox. */
export const isSandbox = document.documentElement.dataset.environment === 'sandbox';
