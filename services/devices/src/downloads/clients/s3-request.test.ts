import { s3Request } from './s3-request.ts';

const signing = {
  key: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' },
  nowMs: Date.UTC(2024, 4, 15, 12),
};
const signatureOf = ({ headers }: { headers: Record<string, string> }) =>
  /Signature=(\w+)$/.exec(headers.Authorization ?? '')?.[1];

/** Botocore 1.43, the library of AWS for Python, made these signatures. */
test.each([
  ['plain.csv', '502fe306624542245765b41e6b0e969b8b1468a10b2742dabce5f3b3994f32b4'],
  ['with space.csv', '7c43b5008d09096b7e5173363cf0461926febbd5d5c351f250c3352e03880646'],
  ['a+b.csv', '13b06554ac2ed6d7a032f86a79b7b77a14d1d948b1c234b81cc69a100d562248'],
  ['100%.csv', 'db80595132feec6f5b76cdb77a4b64bb1df82d0b998275f8d2a1964bbf9bc50b'],
  ['100%25.csv', '1d257f273c982c8a6391a837a02bdbd6d839a087236b5fad591b65b3432c1b86'],
  ['Größe.csv', '4a388b8ba31aadb847d767b9810b6efb4bdb92077c33245690a93b3fa94d58ef'],
  ['水位.csv', '9118c16a4046088330848737f1f3ad78b3b461078eb3aafec908424eb7da8770'],
  ['a&b=c?d.csv', 'b487dbe8dbbdbab81c2ade19a52a7321b7c28899fd845613156b2ba149489660'],
  ['x/../y.csv', '90412e12f4d595c1e31af80ecdadd475aac5b2f0120a489fcee30bff3b584fe6'],
  ['x/./y.csv', 'fa32c4691f6d9ea3f1e29a167ed6a90249a0ad29c3c648192e797c364ad6ad9b'],
  ['x//y.csv', 'c76506960966a8296b09d4887e651070bebbc50ca76a9428d567daae8ef787a5'],
  ["it's(1)!*.csv", 'a96d81887293bc32456786bee4b30625a74c7987f3fa77afac7c38e2f508e9f5'],
  ['a;b,c:d@e$f.csv', 'd6843979d3f8d618351386057fd0424c6c60c5677db662e0f550b299afbef9b2'],
  ['#~hash.csv', '41f3de031d4b5df010a6254d2a8b23b84fc26359a6d99912f193b50a3f6115a7'],
  ['q"<>{}|^`\\.csv', 'ad1d113417bfa057548aeb89b46ce295d404a00fd2fceef00af241b7604c4233'],
])('an object of the key %j is asked for as AWS signs it', (object, signature) => {
  const request = s3Request({ method: 'GET', object }, { bucket: 'levels', region: 'us-east-1' }, signing);
  expect(request.path.split('/').map(decodeURIComponent).join('/')).toBe(`/${object}`);
  expect(signatureOf(request)).toBe(signature);
});

test('a list is asked for as AWS signs it, below the path of the endpoint and in its region', () => {
  const query = {
    'list-type': '2',
    'max-keys': '500',
    prefix: "many & more/+'(ü)*!~",
    'continuation-token': '1/+=a b',
  };
  const place = { bucket: 'levels', endpoint: 'http://127.0.0.1:9000/base/', region: 'eu-central-1' };
  const request = s3Request({ method: 'GET', query }, place, signing);
  expect(request).toMatchObject({ origin: 'http://127.0.0.1:9000', method: 'GET' });
  expect(request.path).toMatch(/^\/base\/levels\?/);
  expect(signatureOf(request)).toBe('fc4582b370ef4b20fcaab88da0cffc8b4c9a874c0cc955dc23770edcdafa8253');
});

test.each([
  ['levels', undefined, 'https://levels.s3.eu-west-3.amazonaws.com', '/'],
  ['dotted.bucket', undefined, 'https://s3.eu-west-3.amazonaws.com', '/dotted.bucket'],
  ['10.0.0.1', undefined, 'https://s3.eu-west-3.amazonaws.com', '/10.0.0.1'],
  ['../x@evil.example', undefined, 'https://s3.eu-west-3.amazonaws.com', '/..%2Fx%40evil.example'],
  ['levels', 'https://minio.example.org', 'https://minio.example.org', '/levels'],
  ['a/b?c', 'https://minio.example.org:9000', 'https://minio.example.org:9000', '/a%2Fb%3Fc'],
])('the bucket %j at the endpoint %s is at %s%s', (bucket, endpoint, origin, path) => {
  const request = s3Request({ method: 'GET' }, { bucket, endpoint, region: 'eu-west-3' }, signing);
  expect(request).toMatchObject({ origin, path });
  expect(request.headers.Host).toBe(new URL(origin).host);
  const removed = s3Request({ method: 'DELETE', object: 'a.csv' }, { bucket, endpoint, region: 'eu-west-3' }, signing);
  expect(removed).toMatchObject({ origin, path: `${path === '/' ? '' : path}/a.csv`, method: 'DELETE' });
});

test('a removal is signed as AWS does', () => {
  const place = { bucket: 'dotted.bucket', region: 'us-east-1' };
  const request = s3Request({ method: 'DELETE', object: 'a.csv' }, place, signing);
  expect(signatureOf(request)).toBe('61eb875b7baebb9d534e5c6d50b661a9862984f5188a0f9089eadc69c812a426');
});
