/** The settings of the environment, each with its check. */
import { z } from 'zod'
import { isRoleName, roleNames, type RoleName } from '#contract/access/rights.ts'
import { LOG_LEVELS } from './kernel/log.ts'
import { scannerAddressOf } from './kernel/files/virus-scan.ts'

const PASSWORD_FLOOR = 8
const SECRET_KEY_LENGTH_MIN = 32

const port = wholeNumber(0, 65_535)
const webAddress = z.string().refine(isWebAddress, 'an address that begins with http:// or https://')
const connection = z
  .string()
  .refine((text) => /^postgres(ql)?:\/\/./.test(text), 'an address like postgres://user:password@host:5432/database')
const smtp = z.string().refine((text) => /^smtps?:\/\/./.test(text), 'an address like smtp://user:password@host:587')
const yesOrNo = z.stringbool({ error: 'true or false' })
const email = z.email('an email address')
const scannerAddress = z
  .string()
  .refine((text) => scannerAddressOf(text) !== undefined, 'host:port, or the path of a socket that begins with /')
  .transform(scannerAddressOf)
const names = z.string().transform((text) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean),
)

const roles = names
  .refine((given) => given.every(isRoleName), `roles by comma, of ${roleNames.join(', ')}`)
  .transform((given) => given.filter((name): name is RoleName => isRoleName(name)))

/** Every setting by its environment variable; `.env.example` explains each. A message states what is expected. */
export const settings = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test'], 'development, test or production').default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(3000),
  PUBLIC_URL: webAddress.optional(),
  DATA_DIR: z.string().default('data'),
  DATABASE_URL: connection.optional(),
  POOL_SIZE: wholeNumber(2, 200).default(10),
  SHARED_BUFFERS: z
    .string()
    .regex(/^\d+(kB|MB|GB)$/, 'a size like 256MB')
    .default('256MB'),
  ACCESS_LOG: yesOrNo.default(false),
  ADMIN_EMAIL: email.optional(),
  AUDIT_HEADS_MAIL: email.optional(),
  DEMO_DATA: yesOrNo.optional(),
  DOCS_PUBLIC: yesOrNo.optional(),
  SECRET_KEY: z.string().min(SECRET_KEY_LENGTH_MIN, `at least ${SECRET_KEY_LENGTH_MIN} characters`).optional(),
  READ_PAGE_SECONDS: wholeNumber(1, 3_600).default(90),
  READ_DOCUMENT_SECONDS: wholeNumber(1, 36_000).default(1_200),
  READ_MEMORY_MB: wholeNumber(256, 16_384).default(640),
  RATE_LIMIT_FACTOR: wholeNumber(1, 1_000_000).default(1),
  SECURITY_LOG_DAYS: wholeNumber(30, 3_650).default(400),
  SESSION_IDLE_HOURS: wholeNumber(1, 24 * 14).default(12),
  SESSION_MAX_DAYS: wholeNumber(1, 365).default(14),
  PASSWORD_MIN_LENGTH: wholeNumber(PASSWORD_FLOOR, 128).default(12),
  PASSWORD_SIGN_IN: yesOrNo.default(true),
  SECOND_FACTOR_ROLES: roles.default([]),
  SECOND_FACTOR_GRACE_DAYS: wholeNumber(0, 90).default(14),
  SMTP_URL: smtp.optional(),
  MAIL_FROM: z.string().default('Meterbook <no-reply@localhost>'),
  S3_BUCKET: z.string().optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ENDPOINT: webAddress.optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_FORCE_PATH_STYLE: yesOrNo.default(false),
  CLAMAV_ADDRESS: scannerAddress.optional(),
  RETRIEVAL_STATEMENTS: z.string().optional(),
  RETRIEVAL_HTTP_URL: webAddress.optional(),
  RETRIEVAL_HTTP_CLIENT_ID: z.string().optional(),
  RETRIEVAL_HTTP_CLIENT_SECRET: z.string().optional(),
  RETRIEVAL_HTTP_ALLOWED_HOSTS: names.default([]),
  WEBHOOK_PRIVATE_HOSTS: names.default([]),
  OIDC_ISSUER: webAddress.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_LABEL: z.string().max(40, 'at most 40 characters').default('single sign-on'),
  OIDC_PRIVATE_HOSTS: names.default([]),
  METRICS_PORT: port.optional(),
  METRICS_TOKEN: z.string().min(16, 'at least 16 characters').optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, LOG_LEVELS.join(', ')).default('info'),
  MAP_URL: webAddress.default('https://www.google.com/maps/search/?api=1&query={query}'),
})

function wholeNumber(least: number, most: number) {
  const expected = `a whole number from ${least} to ${most}`
  return z
    .string()
    .regex(/^\d{1,9}$/, expected)
    .transform(Number)
    .refine((value) => value >= least && value <= most, expected)
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text)
}
