// An address without a screen, or one that someone may not see.
import { nowhere } from "../ui/nowhere.js";

export default nowhere;
