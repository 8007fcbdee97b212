/** Addresses that no webhook may reach, and the ways in which they are written, as data. */

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** First and last of each special range: IANA's registries for IPv4 (RFC 6890 and after). */
const special4 = words(`
  0.0.0.0 0.255.255.255        10.0.0.0 10.255.255.255      100.64.0.0 100.127.255.255
  169.254.0.0 169.254.255.255  172.16.0.0 172.31.255.255    192.0.0.0 192.0.0.255
  192.0.2.0 192.0.2.255        192.31.196.0 192.31.196.255  192.52.193.0 192.52.193.255
  192.88.99.0 192.88.99.255    192.168.0.0 192.168.255.255  192.175.48.0 192.175.48.255
  198.18.0.0 198.19.255.255    198.51.100.0 198.51.100.255  203.0.113.0 203.0.113.255
  224.0.0.0 239.255.255.255    240.0.0.0 255.255.255.255`);

/** Where clouds serve the secrets of their machines. */
const metadata4 = words('169.254.169.254 169.254.170.2 100.100.100.200 192.0.0.192 168.63.129.16');

export const loopback4 = words('127.0.0.1 127.0.0.2 127.255.255.254');

/** The same for IPv6, with what hides an IPv4 address in one. */
const special6 = words(`
  :: ::ffff
  ::ffff:0:0 ::ffff:ffff:ffff
  64:ff9b:: 64:ff9b::ffff:ffff
  64:ff9b:1:: 64:ff9b:1:ffff:ffff:ffff:ffff:ffff
  100:: 100::ffff:ffff:ffff:ffff
  100:0:0:1:: 100:0:0:1:ffff:ffff:ffff:ffff
  2001:: 2001::ffff:ffff
  2001:1::1 2001:1::3
  2001:2:: 2001:2::ffff
  2001:3:: 2001:4:112::
  2001:10:: 2001:1f:ffff::
  2001:20:: 2001:2f:ffff::
  2001:30:: 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff
  2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff
  2002:: 2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff
  2620:4f:8000:: 2620:4f:8000:ffff:ffff:ffff:ffff:ffff
  3fff:: 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff
  5f00:: 5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff
  fc00:: fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
  fe80:: febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff
  fec0:: feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
  ff00:: ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff`);

const metadata6 = words('fd00:ec2::254 fd20:ce::254 fe80::a9fe:a9fe');

/** Refused everywhere. */
export const special = [...special4, ...metadata4, ...special6, ...metadata6];

/** Just beyond the ranges: to be reached. */
export const unspecial = words(`
  1.0.0.0 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
  168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255
  192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255
  2001:200::1 2003::1 2606:4700::1111 2620:4f:8001::1 3ffe::1`);

const bytesOf = (address: string) => address.split('.').map(Number);
const hex = (value: number, width = 1) => value.toString(16).padStart(width, '0');
const octal = (value: number) => `0${value.toString(8)}`;
const wide = (text: string) =>
  text.replaceAll(/[0-9a-z]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0));
const circled = (text: string) =>
  text
    .replaceAll(/[1-9]/g, (sign) => String.fromCodePoint(0x245f + Number(sign)))
    .replaceAll('0', '\u24ea');

/** One IPv4 address in the spellings that parsers of URLs understand, and in IPv6's disguises. */
function spellings(address: string): readonly string[] {
  const [a = 0, b = 0, c = 0, d = 0] = bytesOf(address);
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const low = `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
  return [
    `${number}`,
    `0x${hex(number, 8)}`,
    `0${number.toString(8)}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    [a, b, c, d].map(octal).join('.'),
    [a, b, c, d].map((byte) => `0x${hex(byte)}`).join('.'),
    `0x${hex(a)}.${octal(b)}.${c}.${d}`,
    [a, b, c, d].map((byte) => `0000${byte.toString(8)}`).join('.'),
    `${address}.`,
    wide(address),
    circled(address),
    address.replaceAll('.', '\u3002'),
    address.replaceAll('.', '%2e'),
    `[::ffff:${address}]`,
    `[::ffff:${low}]`,
    `[0:0:0:0:0:FFFF:${low}]`,
    `[::${address}]`,
    `[::${low}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b::${low}]`,
    `[64:ff9b:1::${address}]`,
    `[2002:${low}::1]`,
    `[2001:0:4136:e378:8000:63bf:${hex(0xffff - (a * 256 + b))}:${hex(0xffff - (c * 256 + d))}]`,
    `user@${address}`,
    `shop.example:443@${address}`,
  ];
}

const inUrl = (address: string) => (address.includes(':') ? `[${address}]` : address);

/** Forbidden hosts, as an attacker writes them. */
export const forbiddenHosts: readonly string[] = [
  ...special.map(inUrl),
  ...['10.0.0.1', '169.254.169.254', '192.168.1.1', '0.0.0.0'].flatMap(spellings),
  // Loopback in a disguise that the sandbox's leave for loopback does not cover.
  ...spellings('127.0.0.1').filter((host) => /^\[(?!::1\])|@/.test(host)),
];

/** Hosts that are this machine: the sandbox may reach them, production may not. */
export const ownHosts: readonly string[] = [
  ...loopback4,
  ...spellings('127.0.0.1').filter((host) => !/^\[|@/.test(host)),
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000::0001]',
  'localhost',
  'localhost.',
  'LOCALHOST',
  'api.localhost',
  wide('localhost'),
  '\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3',
  'local%68ost',
];

/** Whole addresses that are no https address at all, or not one of a host. */
export const forbiddenUrls = words(`
  http://shop.example/ http://8.8.8.8/ HTTP://shop.example/ ftp://shop.example/
  ftps://shop.example/ sftp://shop.example/ gopher://127.0.0.1:6379/_INFO
  dict://127.0.0.1:11211/stat ldap://127.0.0.1/ tftp://127.0.0.1/a file:///etc/passwd
  file://127.0.0.1/etc/passwd data:application/json,{} javascript:alert(1)
  blob:https://shop.example/1 about:blank ws://shop.example/ wss://shop.example/
  unix:/var/run/docker.sock unix:///var/run/docker.sock
  http+unix://%2Fvar%2Frun%2Fdocker.sock/info http://unix:/var/run/docker.sock:/info
  jar:https://shop.example!/ view-source:https://shop.example/ mailto:ops@shop.example
  //127.0.0.1/ /hooks shop.example 127.0.0.1 https:// https://[::1 https://[fe80::1%25eth0]/
  https://[fe80::1%eth0]/ https://[fe80::1%25lo]:80/ https://256.256.256.256/ https://1.2.3.4.5/
  https://0x100000000/ https://127.0.0.1%00.shop.example/ https://shop.example:99999/
  https://user@shop.example/ https://user:secret@shop.example/ https://:secret@shop.example/`);
