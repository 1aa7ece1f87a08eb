import { expect, test } from 'vitest'
import { exportStarted, messages, seconds } from './messages.ts'

test('texts are the specification’s, to the byte', () => {
  expect(messages).toMatchObject({
    sign_in_error: 'Sign In Error',
    sign_out_error: 'Sign Out Error',
    sign_out_question: 'Are you sure you want to sign out?',
    delete_question: 'Do you want to delete this record? This action cannot be undone.',
    unknown_error: 'Unknown error: Could not parse server response',
    request_error: 'Request error',
    document_save_failed: 'Unable to create document...',
    import_successful: 'Import successful! The import has been made successfully.',
    an_error_occurred: 'An error occurred.',
    select_client_from_dropdown: 'Please select a client from the dropdown',
  })
  expect([exportStarted('Users'), exportStarted('Client Vendor Numbers'), exportStarted('Bills')]).toEqual([
    messages.users_export_started,
    messages.client_vendor_numbers_export_started,
    'bills export started',
  ])
})

test('no notice but a live error outlasts 5 seconds, none is shorter than 0.4 [NOTIF-CONST-001] [LIVE-CONST-001] [LIVE-CONST-002]', () => {
  const { live_error, ...others } = seconds
  expect(live_error).toBe(0)
  expect(seconds.live).toBeLessThan(1)
  for (const duration of Object.values(others)) {
    expect(duration).toBeGreaterThanOrEqual(0.4)
    expect(duration).toBeLessThanOrEqual(5)
  }
})
