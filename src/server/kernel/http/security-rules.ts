/** Decides which events an answered request is: by its status, its route, and what its handler noted. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { knownOf, type SecurityEvent } from './security-facts.ts'

const signInRoute = /\/auth\/(sign_in|oidc)/
const credentialRoute = /\/(auth\/password|api_tokens|webhooks\/[^/]+\/secret)|\/users\/profile$/
const peopleRoute = /\/(user_roles|roles)(\/|$)|\/users(\/:\w+)?$/
/** What is set for a client or for all, by the segments of its address. Trying audit settings stores nothing. */
const settings = [
  'settings',
  'audit_settings(?!/try)',
  'payment_settings',
  'ledger_settings',
  'export_profiles',
  'originating_profiles',
  'subscriptions',
  'global_batch_bank_value',
  'cost_parameters',
  'degree_days',
  'weather_stations',
  'facility_types',
  'payment_methods',
  'production_units',
  'units',
]
const settingsRoute = new RegExp(`/(${settings.join('|')})(/|$)`)
const exportRoute = /[/_]export(_bills)?(_csv)?$/
const fileRoute = /\/tasks\/:id\/file$|\/generated_reports\/:id\/(file|extra_file|workbook)$/
/** Acts that pay, take back or approve. Whoever asks for one about what they do not reach is told of nothing, and the security log is. */
const moneyRoute =
  /\/global_batches\/(export|pay|finalize|unbatch)$|\/(export_releases|vendor_bank_changes|payment_batches)\/:id\/(decide|approve)$|\/vendor_payments\/:\w+\/reverse$|\/global_batch_files\/:id\/download$/
const paymentFileRoute = /\/global_batch_files\/:id\/download$/

/** The events of an answered request; most have none. */
export function eventsOf(request: FastifyRequest, reply: FastifyReply): SecurityEvent[] {
  const { statusCode } = reply
  const { code, events: noted = [] } = knownOf(request)
  const route = request.routeOptions.url ?? ''
  if (statusCode === 429) return noted.includes('sign_in_braked') ? ['sign_in_braked'] : ['rate_limited']
  if (statusCode === 403) return [code === 'not_proven' ? 'proof_demanded' : 'denied']
  if (statusCode === 401) {
    if (signInRoute.test(route)) return ['sign_in_refused']
    // A request without credentials is no attempt to guess them.
    return request.headers['access-token'] !== undefined || request.headers.authorization !== undefined ? ['credentials_refused'] : []
  }
  if (statusCode === 404 && moneyRoute.test(route)) return [...noted, 'denied']
  // A refused request signed nobody in, so its new device is left out.
  if (statusCode >= 400) return noted.filter((event) => event !== 'sign_in_new_device')
  return [...noted, ...doneEvents(request, reply, route)]
}

function doneEvents(request: FastifyRequest, reply: FastifyReply, route: string): SecurityEvent[] {
  const isChange = request.method !== 'GET' && request.method !== 'HEAD'
  const events: SecurityEvent[] = knownOf(request).principal?.api_token_id === undefined ? [] : ['api_key_used']
  if (isChange && signInRoute.test(route) && reply.hasHeader('access-token')) events.push('sign_in')
  else if (isChange && credentialRoute.test(route)) events.push('credentials_changed')
  else if (isChange && peopleRoute.test(route)) events.push('people_changed')
  else if (isChange && settingsRoute.test(route)) events.push('settings_changed')
  if (exportRoute.test(route)) events.push('export')
  if (fileRoute.test(route)) events.push('file_downloaded')
  if (paymentFileRoute.test(route)) events.push('payment_file_downloaded')
  if (route.endsWith('/bank_details')) events.push('secret_read')
  return events
}
