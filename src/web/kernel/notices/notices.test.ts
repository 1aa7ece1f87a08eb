import { beforeEach, expect, test } from 'vitest'
import { clearNoticeHistory, noticeHistory } from '../../ui/dialogs/notices.ts'
import { ApiProblem } from '../api-problem.ts'
import { deleteNotice, deleteProblemNotice, problemNotice, requestErrorNotice, resultNotice, serviceErrorNotice } from './notices.ts'

const refused = (code: string, status: number, ...full_messages: string[]) =>
  new ApiProblem('refused', status, 'Conflict', {
    success: false,
    message: full_messages.join('. '),
    errors: { full_messages, fields: {} },
    code,
    request_id: 'r',
  })
const plain = new ApiProblem('plain', 502, 'Bad Gateway')
const said = () => noticeHistory().map(({ kind, title, message, duration }) => ({ kind, title, message, duration }))

beforeEach(clearNoticeHistory)

test('a good result says Success with the message, a bad one Error [LIST-MSG-006]', () => {
  resultNotice({ success: true, message: 'Saved' })
  resultNotice({ success: false, message: 'Not saved' })
  expect(said()).toEqual([
    { kind: 'error', title: 'Error', message: 'Not saved', duration: 0.8 },
    { kind: 'success', title: 'Success', message: 'Saved', duration: 0.8 },
  ])
})

test('a refusal says Error with its messages joined by a period [LIST-MSG-007]', () => {
  problemNotice(refused('invalid', 422, 'Name is required', 'Code is taken'))
  expect(said()).toEqual([{ kind: 'error', title: 'Error', message: 'Name is required. Code is taken', duration: 0.8 }])
})

test('an unreadable reply has its own text [LIST-MSG-008]', () => {
  problemNotice(new ApiProblem('unreadable', 200, 'OK'))
  expect(said()[0]?.title).toBe('Unknown error: Could not parse server response')
})

test('a failed request says Request error with the status text for 0.8 seconds [LIST-MSG-011]', () => {
  problemNotice(plain)
  requestErrorNotice(plain)
  const expected = { kind: 'error', title: 'Request error', message: 'Bad Gateway', duration: 0.8 }
  expect(said()).toEqual([expected, expected])
})

test('deleting says the server’s message, as an error where it was refused; a failed request says Request error [LIST-MSG-001] [LIST-MSG-002] [LIST-MSG-010]', () => {
  deleteNotice({ success: true, message: 'Vendor deleted' })
  deleteProblemNotice(refused('refused', 409, 'Vendor has bills'))
  deleteProblemNotice(plain)
  expect(said().map(({ kind, title }) => [kind, title])).toEqual([
    ['error', 'Request error'],
    ['error', 'Vendor has bills'],
    ['success', 'Vendor deleted'],
  ])
})

test('nothing is said of a session that ended', () => {
  problemNotice(new ApiProblem('plain', 401, 'Unauthorized'))
  expect(said()).toEqual([])
})

test('errors of loading are shown to everybody while roles are unknown, then to the two administrator roles only [PERM-RULE-005]', () => {
  serviceErrorNotice(plain, ['client_admin', 'channel_partner_admin'])
  expect(said()).toEqual([])
  serviceErrorNotice(plain, undefined)
  serviceErrorNotice(plain, ['super_admin'])
  serviceErrorNotice(plain, ['muc_admin'])
  expect(said()).toHaveLength(3)
})
