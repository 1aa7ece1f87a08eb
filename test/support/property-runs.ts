/** Number of random cases of a property test. The ordinary run uses 1,000; the long run sets PROPERTY_RUNS=100000. */
export const propertyRuns = Number(process.env.PROPERTY_RUNS ?? 1_000)
