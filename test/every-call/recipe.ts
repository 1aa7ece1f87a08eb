/** How a call is asked for the table: which ids stand in its path, what it is sent, and what it needs beforehand. */
import type { App } from '../../src/server/app.ts'
import type { Person } from '../support/app.ts'
import type { FormValues } from '../support/forms.ts'
import type { Relation } from './rows.ts'
import { missingClientId, missingId, type Place, type World } from './world.ts'

export type Ids = Readonly<Record<string, number | string>>

export interface Asking {
  readonly world: World
  readonly app: App
  readonly relation: Relation
  /** What the ids in the path name. */
  readonly target: Place
  /** Where the values of a body come from: a place that is there, whatever the path names. */
  readonly source: Place
  /** Whom a personal record belongs to. */
  readonly owner: number
  readonly who: Person | null
}

export interface Recipe {
  /** The parameters of the path beside `client_id`. */
  readonly ids?: (asking: Asking) => Ids | Promise<Ids>
  /** A record made for this one question, where the question changes or deletes it. */
  readonly fresh?: (asking: Asking) => Ids | Promise<Ids>
  readonly query?: (asking: Asking) => string
  readonly body?: (asking: Asking) => object | Promise<object>
  readonly headers?: (asking: Asking) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
  /** A form with a file instead of JSON. */
  readonly form?: (asking: Asking) => FormValues
  /** Bytes instead of JSON. */
  readonly bytes?: () => Buffer
  /** Ends the sign-in that it is asked with, so it gets one of its own. */
  readonly endsSignIn?: boolean
  /** Never ends by itself: it is asked over a socket and hung up on. */
  readonly endless?: boolean
}

/** Named by row of the table, or by call where all its rows are asked alike. */
export type Recipes = Readonly<Record<string, Recipe>>

/** The place whose ids stand in the path for this relation. */
export function targetOf(relation: Relation, { places }: World): Place {
  const { own, outside, sibling, foreign } = places
  switch (relation) {
    case 'outside':
      return outside
    case 'sibling':
      return sibling
    case 'foreign':
      return foreign
    case 'crossed':
      return { ...foreign, clientId: own.clientId }
    case 'missing':
      return { ...nowhere(own), clientId: own.clientId }
    case 'absent':
      return nowhere(own)
    default:
      return own
  }
}

/** Where a body takes its values from, so that only the path decides. */
export function sourceOf(relation: Relation, world: World): Place {
  const isThere = relation === 'outside' || relation === 'sibling' || relation === 'foreign'
  return isThere ? targetOf(relation, world) : world.places.own
}

/** Ids that name nothing, for every number among them. */
export function idsOfNothing(ids: Ids): Ids {
  return Object.fromEntries(Object.entries(ids).map(([key, id]) => [key, typeof id === 'number' ? missingId : id]))
}

function nowhere(like: Place): Place {
  return {
    ...like,
    clientId: missingClientId,
    divisionId: missingId,
    facilityId: missingId,
    accountId: missingId,
    groupAccountId: missingId,
    supplyAccountId: missingId,
    groupSupplyAccountId: missingId,
    serviceId: missingId,
    supplyServiceId: missingId,
    ledgerAccountId: missingId,
    ledgerFieldId: missingId,
    clientBatchId: missingId,
    exportProfileId: missingId,
    vendorBatchId: missingId,
    vendorPaymentId: missingId,
    batchGroupId: missingId,
    documentId: missingId,
    surveyId: missingId,
    clientDocumentId: missingId,
    vendorNumberId: missingId,
    bankProfileId: missingId,
    billDocumentId: missingId,
    generatedReportId: missingId,
    scanId: missingId,
    billId: missingId,
    supplyBillId: missingId,
    groupBillId: missingId,
    lineId: missingId,
    statementFileId: 'statement-of-nobody',
  }
}
