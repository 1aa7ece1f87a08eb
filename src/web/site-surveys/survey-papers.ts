import type { Result } from '#contract/kernel/call.ts'
import { siteSurveyCalls } from '#contract/site-surveys/site-survey.ts'
import { callApi } from '../kernel/api.ts'
import { connectionId } from '../kernel/connection.ts'
import { seconds } from '../kernel/notices/messages.ts'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'

/** Starts a task whose file arrives over the live channel in this window. */
async function start(call: () => Promise<Result>): Promise<void> {
  try {
    resultNotice(await call(), seconds.batch)
  } catch (error) {
    problemNotice(error)
  }
}

const query = { connection_id: connectionId }

export const startSurveyPdf = ({ client_id, id }: { readonly client_id: number; readonly id: number }): Promise<void> =>
  start(() => callApi(siteSurveyCalls.generatePdf, { params: { client_id, id }, query }))

export const startFieldSheet = (client_id: number): Promise<void> =>
  start(() => callApi(siteSurveyCalls.fieldSheet, { params: { client_id }, query }))
