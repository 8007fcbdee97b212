const signs = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text) => text.replaceAll(/[&<>"]/g, (sign) => signs[sign]);

const slugOf = (tag) => tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/**
 * The operations of an OpenAPI document as headings, each with the address that the reference gives it: by them the
 * site's one search finds an operation.
 */
export const operationsHtml = ({ paths }) =>
  Object.entries(paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(
        ([method, { tags: [tag = ''] = [], summary, description = '' }]) => {
          const verb = method.toUpperCase();
          const place = `tag/${slugOf(tag)}/${verb}${path}`;
          const said = `${verb} ${path} ${description.split('\n')[0]}`;
          return `<h2>${escaped(summary)} <a href="#${place}">#</a></h2><p>${escaped(said)}</p>`;
        },
      ),
    )
    .join('\n');
