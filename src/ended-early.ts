/**
 * Fails the process if it would end before the returned function is called. A promise that nothing settles does not keep a process alive:
 * it would end silently, as if all were well.
 */
export function failIfEndedEarly(): () => void {
  const fail = () => {
    console.error('vaga: ended too early, waiting for something that never came; check DATABASE_URL');
    process.exit(1);
  };
  process.once('beforeExit', fail);
  return () => process.off('beforeExit', fail);
}
