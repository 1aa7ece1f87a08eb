/** How many random cases a property test tries. The ordinary run takes 1,000; the long run sets PROPERTY_RUNS=100000. */
export const propertyRuns = Number(process.env.PROPERTY_RUNS ?? 1_000)
