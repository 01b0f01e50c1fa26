/** Tables that the build puts into the code as text. */
declare module "*.csv" {
  const text: string;
  export default text;
}
