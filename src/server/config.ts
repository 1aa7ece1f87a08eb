import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { z } from 'zod'
import { isWeakKey } from './key-strength.ts'
import { dataFolderMode } from './kernel/files/private-modes.ts'
import { settings } from './config-settings.ts'

/** An invalid setting. The message is one line that names the setting, the problem and the expected value. */
export class ConfigProblem extends Error {
  override name = 'ConfigProblem'
}

/** These may come from a file, named by the same variable with `_FILE`, so that they do not appear in process lists. */
const FROM_FILE = [
  'DATABASE_URL',
  'SECRET_KEY',
  'SMTP_URL',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'RETRIEVAL_HTTP_CLIENT_SECRET',
  'METRICS_TOKEN',
  'OIDC_CLIENT_SECRET',
] as const

export type Environment = Readonly<Record<string, string | undefined>>
export type Config = ReturnType<typeof readConfig>

/**
 * Reads and checks the settings of this process from the environment and a `.env` file next to package.json, which does not override it. Throws
 * ConfigProblem. If no link-signing key is set, creates one and keeps it in DATA_DIR.
 */
export function readConfig(environment: Environment = processEnvironment()) {
  const read = parseSettings(withFiles(environment))
  const production = read.NODE_ENV === 'production'
  const dataDir = resolve(read.DATA_DIR)
  refuseHalfSettings(read)
  if (production) refuseUnsafeProduction(read)
  return {
    environment: read.NODE_ENV,
    production,
    host: read.HOST,
    port: read.PORT,
    /** Address at which users reach the console, without a final slash; undefined means the address we listen on. */
    publicUrl: read.PUBLIC_URL?.replace(/\/+$/, ''),
    dataDir,
    /** Undefined means the embedded PostgreSQL. */
    databaseUrl: read.DATABASE_URL,
    poolSize: read.POOL_SIZE,
    sharedBuffers: read.SHARED_BUFFERS,
    /** A line of the log for each request of the API. */
    accessLog: read.ACCESS_LOG,
    adminEmail: read.ADMIN_EMAIL,
    /** Address that receives the heads of the audit log by mail once a day. */
    auditHeadsMail: read.AUDIT_HEADS_MAIL,
    demoData: read.DEMO_DATA ?? !production,
    /** Whether the documentation of the API is open without a sign-in. */
    docsPublic: read.DOCS_PUBLIC ?? !production,
    secretKey: read.SECRET_KEY ?? keepSecretKey(dataDir, production && read.DATABASE_URL !== undefined),
    /** Whether the key lies in the data folder, where one copy holds what it encrypts and the key. */
    keyBesideData: read.SECRET_KEY === undefined,
    /** Days after which a security event is deleted. */
    securityLogDays: read.SECURITY_LOG_DAYS,
    sessionIdleHours: read.SESSION_IDLE_HOURS,
    sessionMaxDays: read.SESSION_MAX_DAYS,
    /** CPU seconds allowed for reading one page of a document. */
    readPageSeconds: read.READ_PAGE_SECONDS,
    /** CPU seconds allowed for a document with all its pages. */
    readDocumentSeconds: read.READ_DOCUMENT_SECONDS,
    /** Memory of the OCR process, in MiB. */
    readMemoryMib: read.READ_MEMORY_MB,
    /** Factor applied to every limit of requests per minute. */
    rateLimitFactor: read.RATE_LIMIT_FACTOR,
    passwordMinLength: read.PASSWORD_MIN_LENGTH,
    /** Whether a password signs in. Without it a provider of identities must. */
    passwordSignIn: read.PASSWORD_SIGN_IN,
    /** Roles whose people sign in by password with a second factor only, and the days that they have to set it up. */
    secondFactor: { roles: read.SECOND_FACTOR_ROLES, graceDays: read.SECOND_FACTOR_GRACE_DAYS },
    smtpUrl: read.SMTP_URL,
    mailFrom: read.MAIL_FROM,
    s3: s3Settings(read),
    /** Undefined if uploads are not scanned for viruses. */
    scannerAddress: read.CLAMAV_ADDRESS,
    retrieval: { statementsFolder: read.RETRIEVAL_STATEMENTS && resolve(read.RETRIEVAL_STATEMENTS), http: retrievalOverHttp(read) },
    /** Hosts in our own network that webhooks may address, also without TLS. */
    webhookPrivateHosts: read.WEBHOOK_PRIVATE_HOSTS,
    oidc: oidcSettings(read),
    metricsPort: read.METRICS_PORT,
    metricsToken: read.METRICS_TOKEN,
    logLevel: read.LOG_LEVEL,
    /** `{query}` is replaced by the encoded address. */
    mapUrl: read.MAP_URL,
  }
}

type Settings = z.output<typeof settings>

/** The environment with the lines of `.env`. */
export function processEnvironment(): Environment {
  const file = join(import.meta.dirname, '../../.env')
  if (existsSync(file)) process.loadEnvFile(file)
  return process.env
}

/** An empty variable counts as not set, which is the intent of a line like `SMTP_URL=`. */
function withFiles(environment: Environment): Environment {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''))
  for (const name of FROM_FILE) {
    const file = given[`${name}_FILE`]
    if (file === undefined) continue
    if (given[name] !== undefined) throw new ConfigProblem(`Both ${name} and ${name}_FILE are set; keep one of them.`)
    given[name] = readSecretFile(`${name}_FILE`, file)
  }
  return given
}

function readSecretFile(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new ConfigProblem(`${variable} names ${file}, which cannot be read.`, { cause: error })
  }
}

function parseSettings(environment: Environment): Settings {
  const result = settings.safeParse(environment)
  if (result.success) return result.data
  // The value itself is not repeated: it may be a secret.
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.')} must be ${message}`)
  throw new ConfigProblem(`${[...new Set(problems)].join('; ')}. See .env.example.`)
}

function refuseHalfSettings(read: Settings): void {
  const groups = [
    ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
    ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
    ['RETRIEVAL_HTTP_URL', 'RETRIEVAL_HTTP_CLIENT_ID', 'RETRIEVAL_HTTP_CLIENT_SECRET'],
  ] as const
  for (const group of groups) {
    const missing = group.filter((name) => read[name] === undefined)
    if (missing.length === 0 || missing.length === group.length) continue
    throw new ConfigProblem(`${group.join(', ')} belong together, but ${missing.join(' and ')} is not set. See .env.example.`)
  }
  if (!read.PASSWORD_SIGN_IN && read.OIDC_ISSUER === undefined)
    throw new ConfigProblem('PASSWORD_SIGN_IN must not be false without OIDC_ISSUER: nobody could sign in. See .env.example.')
  if (read.METRICS_PORT !== undefined && read.METRICS_PORT !== 0 && read.METRICS_PORT === read.PORT) {
    throw new ConfigProblem('METRICS_PORT must differ from PORT. See .env.example.')
  }
}

/** Returns the settings that would let anybody in. A refused start is noticed at once; a known password is noticed by an attacker. */
function refuseUnsafeProduction({ DEMO_DATA, SECRET_KEY }: Settings): void {
  if (DEMO_DATA === true)
    throw new ConfigProblem(
      'DEMO_DATA must not be true in production: the demo data bring people whose password everybody knows. Remove it, or set NODE_ENV to development. See .env.example.',
    )
  if (SECRET_KEY !== undefined && isWeakKey(SECRET_KEY))
    throw new ConfigProblem(
      'SECRET_KEY is too easily guessed for production: make one by `openssl rand -base64 48`. A database that was used with the old key keeps bank numbers that only the old key opens. See .env.example.',
    )
}

function s3Settings(read: Settings) {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = read
  if (bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) return undefined
  return {
    bucket,
    accessKeyId,
    secretAccessKey,
    region: read.S3_REGION,
    endpoint: read.S3_ENDPOINT,
    forcePathStyle: read.S3_FORCE_PATH_STYLE,
  }
}

/** Undefined if there is no identity provider. Without TLS only if the operator has named its host. */
function oidcSettings(read: Settings) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_PRIVATE_HOSTS: privateHosts } = read
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined
  const isPlain = new URL(issuer).protocol === 'http:'
  if (isPlain && read.NODE_ENV === 'production' && !privateHosts.includes(new URL(issuer).hostname))
    throw new ConfigProblem('OIDC_ISSUER must be an https address, unless OIDC_PRIVATE_HOSTS names its host. See .env.example.')
  return { issuer, clientId, clientSecret, label: read.OIDC_LABEL, privateHosts }
}

function retrievalOverHttp(read: Settings) {
  const { RETRIEVAL_HTTP_URL: url, RETRIEVAL_HTTP_CLIENT_ID: clientId, RETRIEVAL_HTTP_CLIENT_SECRET: clientSecret } = read
  if (url === undefined || clientId === undefined || clientSecret === undefined) return undefined
  const allowedHosts = read.RETRIEVAL_HTTP_ALLOWED_HOSTS
  return { url, clientId, clientSecret, allowedHosts: allowedHosts.length > 0 ? allowedHosts : [new URL(url).hostname] }
}

/** Several nodes on one database must sign alike, so the key cannot be a file that each creates for itself. */
function keepSecretKey(dataDir: string, mustBeSet: boolean): string {
  if (mustBeSet)
    throw new ConfigProblem(
      'SECRET_KEY (or SECRET_KEY_FILE) must be set in production with DATABASE_URL: the same at least 32 characters on every node. See .env.example.',
    )
  const file = join(dataDir, 'secret-key')
  if (existsSync(file)) return readSecretFile('DATA_DIR', file)
  const draft = `${file}.${process.pid}`
  try {
    mkdirSync(dataDir, { recursive: true, mode: dataFolderMode() })
    writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })
    // A link is created only if the file does not exist, so two processes that start at once read the same key.
    if (!existsSync(file)) linkSync(draft, file)
  } catch (error) {
    if (!existsSync(file)) throw new ConfigProblem(`DATA_DIR is ${dataDir}, where nothing can be written.`, { cause: error })
  }
  rmSync(draft, { force: true })
  return readSecretFile('DATA_DIR', file)
}
