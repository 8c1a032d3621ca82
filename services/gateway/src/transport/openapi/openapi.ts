import { DEFAULT_CLASS_NAMESPACE } from '@catchment/config';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { LOGO_SVG } from '../views/layout.ts';
import { COMPONENTS } from './components.ts';
import { withSharedFailures } from './shared-answers.ts';

const DESCRIPTION = `Sensor data: a tree of nodes, their historic data, alarms, events, and the devices that report.

Every request carries an API key in the header \`X-Api-Key\`. Bodies are JSON in UTF-8, at most 5 MiB, and may be gzipped;
objects and arrays nest at most 64 deep.
A node is named by its \`_id\` or by \`@\` and its customId. Failures are always \`{"error":{"code","message"}}\`.
Operations and arguments marked \`x-extension\` go beyond the documented API.`;

const TAGS = [
  { name: 'Account', description: 'Settings, people and keys of the account' },
  { name: 'People', description: 'Signing in and out' },
  { name: 'Operator', description: 'The installation as a whole, for those who operate it' },
  { name: 'Nodes', description: 'The tree: workspaces, groups, locations, sources, parameters' },
  { name: 'Security and notifications', description: 'Who may do what in a workspace, and who is notified of alarms' },
  { name: 'Historic data', description: 'Reading and writing time series' },
  { name: 'Charts', description: 'Images of time series' },
  { name: 'Reports', description: 'Documents about nodes' },
  { name: 'Processing', description: 'Computed parameters and processors' },
  { name: 'Alarms', description: 'Acknowledging and clearing' },
  { name: 'Events', description: 'What happened, and who caused it' },
  { name: 'Webhooks', description: 'Where events are sent as they happen' },
  { name: 'Devices', description: 'Modems and other communication hardware' },
];

/** Makes OpenAPI 3.1 out of the route schemas, and the page at /docs. Register it before the routes. */
export async function addApiDescription(
  app: FastifyInstance,
  options: { readonly baseUrl: string | undefined; readonly classNamespace: string },
): Promise<void> {
  for (const component of COMPONENTS) app.addSchema(component);
  // Route schemas describe; what they describe is checked where its rules are kept, with better texts.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Catchment',
        version: '1.0',
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: options.baseUrl ?? '/' }],
      tags: TAGS,
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'catchment_session',
            description: 'Of POST /auth/login; over HTTPS with the prefix __Host-. Changes carry X-CSRF-Token too.',
          },
          upload: { type: 'http', scheme: 'basic', description: 'The password of a source; any user.' },
        },
      },
      security: [{ apiKey: [] }, { session: [] }],
    },
    transformObject: (documented) =>
      inNamespace(withSharedFailures(withQuietExamples(documented)), options.classNamespace),
    refResolver: { buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? `Schema${i}`) },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: PAGE_POLICY,
    logLevel: 'silent',
    logo: { type: 'image/svg+xml', content: LOGO },
    uiConfig: {
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
      tryItOutEnabled: true,
      displayRequestDuration: true,
      validatorUrl: null,
    },
    theme: {
      title: 'Catchment API',
      favicon: [{ filename: 'favicon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: LOGO }],
      css: [{ filename: 'catchment.css', content: CSS }],
    },
  });
}

/** Everything from here, nothing from elsewhere; the page sets styles on its elements. No upgrade to HTTPS: TLS may be absent. */
const PAGE_POLICY = {
  'default-src': ["'self'"],
  'base-uri': ["'self'"],
  'frame-ancestors': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'object-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
};

type Described = { example?: unknown; schema?: object };

/** Examples go below the schema: beside it, the page would fill them into its forms and send them. */
function withQuietExamples(documented: object): Record<string, unknown> {
  const api = ('openapiObject' in documented ? documented.openapiObject : {}) as Record<string, unknown>;
  for (const path of Object.values(api.paths ?? {})) {
    for (const operation of Object.values(path as Record<string, { parameters?: Described[] }>)) {
      for (const parameter of operation.parameters ?? []) {
        if (parameter.example === undefined) continue;
        parameter.schema = { ...parameter.schema, examples: [parameter.example] };
        delete parameter.example;
      }
    }
  }
  return api;
}

/** Schemas, examples and texts are written with the default prefix of classes; this installation may have another. */
function inNamespace(api: Record<string, unknown>, namespace: string): Record<string, unknown> {
  if (namespace === DEFAULT_CLASS_NAMESPACE) return api;
  const text = JSON.stringify(api);
  return JSON.parse(text.replaceAll(`${DEFAULT_CLASS_NAMESPACE}.models`, `${namespace}.models`)) as typeof api;
}

const LOGO = Buffer.from(LOGO_SVG);

const CSS = `
.swagger-ui .topbar { background: #12343b; }
.swagger-ui .topbar .download-url-wrapper { display: none; }
.swagger-ui .info .title { color: #12343b; }
.swagger-ui .info { margin: 28px 0; }
`;
