/**
 * Fails the process if it would end before the returned function is called. A promise that nothing settles does not keep a process alive:
 * it would end silently, as if all were well.
 */
export function failIfEndedEarly(): () => void {
  const { DATABASE_URL, DATABASE_URL_FILE } = process.env;
  const setting = DATABASE_URL || DATABASE_URL_FILE ? 'DATABASE_URL' : 'DATA_DIR';
  const fail = () => {
    console.error(`vaga: ended too early, waiting for something that never came; check ${setting}`);
    process.exit(1);
  };
  process.once('beforeExit', fail);
  return () => process.off('beforeExit', fail);
}
