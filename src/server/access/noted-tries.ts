/** Counts a try of a sign-in, and notes for the security log where it is braked. */
import type { FastifyRequest } from 'fastify'
import { noteEvent } from '../kernel/http/security-facts.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { Failure } from '../kernel/problem.ts'
import { takeTry, type Try } from './sign-in-brake.ts'

export async function takeNotedTry(tx: Tx, one: Try, request: FastifyRequest): Promise<void> {
  try {
    await takeTry(tx, one)
  } catch (error) {
    if (error instanceof Failure && error.code === 'too_many') noteEvent(request, 'sign_in_braked', one.factorOf)
    throw error
  }
}
