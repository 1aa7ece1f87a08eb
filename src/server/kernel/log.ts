export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]
export type LogFields = Record<string, unknown>

/** Writes one line per event. `with` returns a log that adds the same fields (a request id, for example) to each line. */
export interface Log {
  debug: (message: string, fields?: LogFields) => void
  info: (message: string, fields?: LogFields) => void
  warn: (message: string, fields?: LogFields) => void
  error: (message: string, fields?: LogFields) => void
  with: (fields: LogFields) => Log
}

/** `human` writes for a reader at a terminal instead of JSON; `write` gets each line with its line end. */
export interface LogSettings {
  level?: LogLevel
  human?: boolean
  write?: (line: string) => void
}

const HIDDEN = '[hidden]'
const SECRET_NAME = /passw|secret|token|authorization|cookie|credential|signature|routing|account_?(number|no)\b|api_?key|encryption_?key/i
const SECRET_IN_URL = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*:)[^\s@]+@/gi
const DEPTH_MAX = 5
const ITEMS_MAX = 50
const TEXT_MAX = 4_000

/**
 * A log on standard output: JSON lines (`ts` in UTC, `level`, `msg`, then the fields), or one short readable line when standard output is a
 * terminal. Fields whose names suggest secrets or bank numbers, and passwords inside URLs, are never printed.
 */
export function createLog(settings: LogSettings = {}): Log {
  const human = settings.human ?? process.stdout.isTTY
  const write = settings.write ?? ((line: string) => void process.stdout.write(line))
  return logWith({}, LOG_LEVELS.indexOf(settings.level ?? 'info'), (level, message, fields) => {
    const shown = new Map(Object.entries(fields).map(([name, value]) => [name, hideSecrets(name, value, 0)]))
    const text = hideInText(message)
    write(
      human
        ? humanLine(level, text, shown)
        : `${JSON.stringify({ ts: new Date().toISOString(), level, msg: text, ...Object.fromEntries(shown) })}\n`,
    )
  })
}

type Emit = (level: LogLevel, message: string, fields: LogFields) => void

function logWith(base: LogFields, from: number, emit: Emit): Log {
  const at = (level: LogLevel) => (message: string, fields?: LogFields) => {
    if (LOG_LEVELS.indexOf(level) >= from) emit(level, message, { ...base, ...fields })
  }
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => logWith({ ...base, ...fields }, from, emit),
  }
}

function humanLine(level: LogLevel, message: string, fields: Map<string, unknown>): string {
  const told = [...fields].map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const time = new Date().toTimeString().slice(0, 8)
  return `${[time, level.padEnd(5), message, ...told].join(' ')}\n`
}

function hideSecrets(name: string, value: unknown, depth: number): unknown {
  if (SECRET_NAME.test(name) && value !== undefined && value !== null) return HIDDEN
  if (typeof value === 'string') return hideInText(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEPTH_MAX) return '[deep]'
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Error) return describeError(value, depth)
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map((item: unknown) => hideSecrets(name, item, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, ITEMS_MAX)
      .map(([key, inner]) => [key, hideSecrets(key, inner, depth + 1)]),
  )
}

/** Returns the useful parts of an error. A database error's `detail` is left out, because it quotes the row's values. */
function describeError(error: Error, depth: number): unknown {
  return {
    name: error.name,
    message: hideInText(error.message),
    ...('code' in error ? { code: error.code } : {}),
    stack: hideInText(error.stack ?? ''),
    ...(error.cause === undefined ? {} : { cause: hideSecrets('cause', error.cause, depth + 1) }),
  }
}

function hideInText(text: string): string {
  const cut = text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text
  return cut.replaceAll(SECRET_IN_URL, `$1${HIDDEN}@`)
}
