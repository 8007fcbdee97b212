import { Language, Parser } from 'web-tree-sitter';

/** Says of each text whether it follows the grammar. Arguments: the grammar's file, the texts as JSON. */
const [grammar = '', texts = '[]'] = process.argv.slice(2);
await Parser.init();
const parser = new Parser();
parser.setLanguage(await Language.load(grammar));
const said = (JSON.parse(texts) as string[]).map(
  (text) => parser.parse(text)?.rootNode.hasError === false,
);
process.stdout.write(JSON.stringify(said));
