/**
 * Error messages of values, with the name of the field. Every kind of zod issue has its message here, for each schema without one of its own. A
 * message that begins with a small letter ('must be an id') is completed by its field's name.
 */
import { z } from 'zod'

type Raw = z.core.$ZodRawIssue
type Path = readonly PropertyKey[]

z.config({ customError: inWords })

/** Returns the message of an issue, completed by its field's name if needed. */
export function messageOf(issue: { readonly message: string; readonly path: Path }): string {
  return /^[a-z]/.test(issue.message) ? `${labelAt(issue.path)} ${issue.message}` : issue.message
}

/** Returns the label of a field by its path: `service_bills_attributes.0.unit_id` is Unit. */
export function labelAt(path: Path): string {
  const key = path.findLast((part) => typeof part === 'string')
  return typeof key === 'string' ? labelOf(key) : 'The body'
}

/** Returns the words of a wire name: 'usage_factor_ids' is Usage Factors. */
export function labelOf(key: string): string {
  const name = key.replace(/_attributes$/, '').replace(/^_+|_id$/g, '')
  const plain = name.endsWith('_ids') ? plural(name.slice(0, -4)) : name
  const words = plain.split(/[_\s]+/).filter((word) => word !== '')
  return words.length === 0 ? 'The value' : words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
}

function plural(name: string): string {
  if (/(ch|sh|s|x)$/.test(name)) return `${name}es`
  return name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`
}

function inWords(issue: Raw): string {
  if (issue.code === 'unrecognized_keys') return `Unknown field: ${issue.keys.join(', ')}`
  return `${labelAt(issue.path ?? [])} ${complaint(issue)}`
}

function complaint(issue: Raw): string {
  if (issue.input === undefined || (issue.input === null && issue.code !== 'custom')) return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kindWords[issue.expected] ?? 'of another kind'}`
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'invalid_format':
      return formatWords[issue.format] ?? 'is not written as it must be'
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`
    case 'invalid_union':
      return ofAnyKind(issue)
    case 'invalid_key':
      return 'holds a name that cannot be'
    case 'invalid_element':
      return 'holds a value that cannot be'
    default:
      return 'is not valid'
  }
}

const kindWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
  null: 'empty',
}

const formatWords: Readonly<Record<string, string>> = {
  email: 'must be an email address',
  url: 'must be a web address',
  date: 'must be a date, YYYY-MM-DD',
  datetime: 'must be a time',
}

function tooSmall({ origin, minimum, inclusive }: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  if (origin === 'string') return minimum === 1 ? 'is required' : `must have at least ${minimum} characters`
  if (origin === 'array' || origin === 'set') return `must have at least ${counted(minimum)}`
  return inclusive === false ? `must be greater than ${minimum}` : `must be at least ${minimum}`
}

function tooBig({ origin, maximum, inclusive }: z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>): string {
  if (origin === 'string') return `must have at most ${maximum} characters`
  if (origin === 'array' || origin === 'set') return `must have at most ${counted(maximum)}`
  return inclusive === false ? `must be less than ${maximum}` : `must be at most ${maximum}`
}

function counted(count: number | bigint): string {
  return `${count} ${Number(count) === 1 ? 'entry' : 'entries'}`
}

/** Lists the allowed kinds if each option fails by its kind; otherwise returns the error of the closest option. */
function ofAnyKind({ errors }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  const firsts = errors.flatMap(([first]) => (first === undefined ? [] : [first]))
  const kinds = firsts.flatMap((first) => (first.code === 'invalid_type' && first.path.length === 0 ? [first.expected] : []))
  const words = [...new Set(kinds.map((kind) => kindWords[kind] ?? 'of another kind'))]
  if (words.length > 0 && kinds.length === firsts.length) return `must be ${words.join(' or ')}`
  const near = firsts.find((first) => first.code !== 'invalid_type' || first.path.length > 0)
  return near === undefined ? 'is not valid' : afterLabel(near.message)
}

/** Removes the label from an option's message, which was written as if it were alone. */
function afterLabel(message: string): string {
  const at = message.search(/\b(must|is|holds)\b/)
  return at < 0 ? 'is not valid' : message.slice(at)
}
