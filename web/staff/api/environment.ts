/** Whether the service behind the page is a sandbox. */
export const isSandbox = document.documentElement.dataset.environment === 'sandbox';
